# Kernex: Local alignment of residues, repair clip
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import judge
from kernex_core import read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
local_alignment_of_residues = LocalAlignment(log=True).similarities(samples_2)
local_alignment_of_residues_2 = local_alignment_of_residues.then(CosineNormalize())
labels = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604').labels
judgement = judge(local_alignment_of_residues_2, labels, CrossValidation(repeats=2))

print(local_alignment_of_residues_2.values)
print(judgement.multi_class)
