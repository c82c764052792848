# Kernex: joint of indefinite and cheap
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.conditioning.flip import Flip
from kernex_core.joint.completion import Complete
from kernex_core.learning.folds import CrossValidation
from pathlib import Path

samples = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples.gram
samples_2 = read_samples(Path('indefinite.csv').read_bytes(), 'indefinite.csv', kind='similarity', format='matrix', sha256='2d0b1e38dc816872')
indefinite = samples_2.gram
indefinite_2 = indefinite.then(Flip())
cheap_2 = cheap.then(Complete(source=indefinite_2, lam=0.3, nugget=0.5))
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
judgement = judge(cheap_2, labels_2, CrossValidation(repeats=2))

print(cheap_2.values)
print('multi-class accuracy', judgement.multi_class.mean)
print('one-vs-rest accuracy', judgement.one_vs_rest.mean)
