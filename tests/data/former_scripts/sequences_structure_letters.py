# Kernex: Smith-Waterman of folds, repair clip
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('folds.fasta').read_bytes(), 'folds.fasta', kind='sequences', format='fasta', alphabet='structure', sha256='335c4b29561389a1')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
smith_waterman_of_folds = SmithWaterman(matrix='3DI').similarities(samples_2)
smith_waterman_of_folds_2 = smith_waterman_of_folds.then(CosineNormalize())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
judgement = judge(smith_waterman_of_folds_2, labels_2, CrossValidation(repeats=2))

print(smith_waterman_of_folds_2.values)
print(judgement.multi_class)
