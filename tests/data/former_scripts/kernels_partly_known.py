# Kernex: dear, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import expand
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('dear.tsv').read_bytes(), 'dear.tsv', kind='similarity', format='matrix', sha256='9d1e4b165629324d')
dear = samples.gram
dear_2 = expand(dear, ('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'))
dear_3 = dear_2.then(CosineNormalize())
dear_4 = dear_2.take(np.array([ 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22]))
dear_5 = dear_4.then(CosineNormalize())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
labels_3 = labels_2.take(np.array([ 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22]))
judgement = judge(dear_5, labels_3, CrossValidation(repeats=2))

print(dear_3.values)
print(judgement.multi_class)
