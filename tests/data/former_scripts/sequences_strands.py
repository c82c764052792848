# Kernex: Mismatch of strands, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('strands.fa.gz').read_bytes(), 'strands.fa.gz', kind='sequences', format='fasta', sha256='265dc6124d128dea')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
mismatch_of_strands = Mismatch(alphabet='dna').similarities(samples_2)
mismatch_of_strands_2 = mismatch_of_strands.then(CosineNormalize())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
judgement = judge(mismatch_of_strands_2, labels_2, CrossValidation(repeats=2))

print(mismatch_of_strands_2.values)
print(judgement.multi_class)
