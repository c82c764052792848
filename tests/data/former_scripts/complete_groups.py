# Kernex: dear completed from cheap, λ = 0.25
# Run it beside the folder kernex_core, with the uploaded files in the same place.
# The matrix is the one that the page shows; in the accuracy every repetition hides other items.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.conditioning.clip import Clip
from kernex_core.extrapolation.hide import Hide
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.joint.completion import Complete
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion_config import CompletionConfig
from kernex_core.studies.sweep import joint_curve, sweeping
from pathlib import Path

samples = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples.gram
dear = whole_dear.then(Hide(hidden=(1, 5, 9, 14, 15, 17)))
dear_2 = dear.then(Clip())
dear_3 = dear_2.then(CosineNormalize())
samples_2 = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples_2.gram
cheap_2 = cheap.then(CosineNormalize())
dear_4 = dear_3.then(Complete(source=cheap_2))
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
states = sweeping(CompletionConfig(), cheap_2, whole_dear, labels_2, CrossValidation(repeats=2, C=1.5, grouped=True), shares=(0.25,))
sweep = [*states][-1].sweep
accuracy = joint_curve(sweep, 0.25)

print(dear_4.values)
print('multi-class accuracy', accuracy[0].mean[0], 'sd over repetitions', accuracy[0].sd[0])
print('one-vs-rest accuracy', accuracy[1].mean[0], 'sd over repetitions', accuracy[1].sd[0])
