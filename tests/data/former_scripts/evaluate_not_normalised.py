# Kernex: indefinite, cheap
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.conditioning.shift import Shift
from kernex_core.learning.folds import CrossValidation
from pathlib import Path

samples = read_samples(Path('indefinite.csv').read_bytes(), 'indefinite.csv', kind='similarity', format='matrix', sha256='2d0b1e38dc816872')
indefinite = samples.gram
indefinite_2 = indefinite.then(Shift())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
judgement = judge(indefinite_2, labels_2, CrossValidation(folds=5, repeats=1, C=0.5))
samples_2 = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples_2.gram
judgement_2 = judge(cheap, labels_2, CrossValidation(folds=5, repeats=1, C=0.5))

print(judgement.multi_class)
print(judgement_2.multi_class)
