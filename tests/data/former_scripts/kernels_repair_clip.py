# Kernex: indefinite, repair clip
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.conditioning.clip import Clip
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.folds import CrossValidation
from pathlib import Path

samples = read_samples(Path('indefinite.csv').read_bytes(), 'indefinite.csv', kind='similarity', format='matrix', sha256='2d0b1e38dc816872')
indefinite = samples.gram
indefinite_2 = indefinite.then(CosineNormalize())
indefinite_3 = indefinite_2.then(Clip())
indefinite_4 = indefinite_3.then(CosineNormalize())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
judgement = judge(indefinite_4, labels_2, CrossValidation(repeats=2))

print(indefinite_4.values)
print(judgement.multi_class)
