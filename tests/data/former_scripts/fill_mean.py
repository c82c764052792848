# Kernex: hits, unknown pairs become mean
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.fill import FillUnknown
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.folds import CrossValidation
from pathlib import Path

samples = read_samples(Path('hits.m8').read_bytes(), 'hits.m8', kind='similarity', format='hits', sha256='f9191b5a0175d226')
hits = samples.gram
hits_2 = hits.then(FillUnknown(method='mean'))
hits_3 = hits_2.then(CosineNormalize())
hits_4 = hits_3.then(Clip())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
judgement = judge(hits_4, labels_2, CrossValidation(repeats=1))

print(hits_3.values)
print('multi-class accuracy', judgement.multi_class.mean)
