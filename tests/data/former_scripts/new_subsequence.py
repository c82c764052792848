# Kernex: classes of new sequences
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.studies.new_items import classes_of, comparing, conditioned_rows
from pathlib import Path
import numpy as np

samples = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
subsequence_of_residues = Subsequence(length=2, decay=0.5, alphabet='protein').similarities(samples_2)
subsequence_of_residues_2 = subsequence_of_residues.then(CosineNormalize())
labels = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604').labels
states = comparing(Subsequence(length=2, decay=0.5, alphabet='protein'), samples_2, Sequences(ids=('n0', 'n1', 'n2'), strings=('AQTPHIKYDETPEVMNSGHLKCAY', 'WDRMNYQTAVMEGFKWFWFNMNWQQYV', 'LYDEGGYKYCRITDKTCHLFVEKAFHRD')))
rows = [*states][-1]
carried = conditioned_rows(subsequence_of_residues_2, rows)
predictions = classes_of(subsequence_of_residues_2, labels, carried, 10.0)

print(*zip(predictions.ids, predictions.labels, predictions.margin.tolist()), sep='\n')
