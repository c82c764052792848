# Kernex: clipped, joint, sum, product, standardised, filled
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.empirical_map import StandardisedMap
from kernex_core.conditioning.fill import FillUnknown
from kernex_core.extrapolation.hide import Hide
from kernex_core.gram.combine import Product
from kernex_core.gram.combine import WeightedSum
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.joint.completion import Complete
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('indefinite.csv').read_bytes(), 'indefinite.csv', kind='similarity', format='matrix', sha256='2d0b1e38dc816872')
indefinite = samples.gram
indefinite_2 = indefinite.take(np.array([ 0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 22]))
clipped = indefinite_2.then(CosineNormalize())
clipped_2 = clipped.then(Clip())
clipped_3 = clipped_2.then(CosineNormalize())
clipped_4 = clipped_3.then(CosineNormalize())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
labels_3 = labels_2.take(np.array([ 0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 22]))
judgement = judge(clipped_4, labels_3, CrossValidation(repeats=2))
samples_2 = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples_2.gram
joint_0_25_of_dear = whole_dear.take(np.array([ 0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 22]))
joint = joint_0_25_of_dear.then(Hide(hidden=(1, 6, 10)))
joint_2 = joint.then(Clip())
joint_3 = joint_2.then(CosineNormalize())
samples_3 = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples_3.gram
cheap_2 = cheap.take(np.array([ 0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 22]))
cheap_3 = cheap_2.then(CosineNormalize())
joint_4 = joint_3.then(Complete(source=cheap_3))
judgement_2 = judge(joint_4, labels_3, CrossValidation(repeats=2))
sum = joint_0_25_of_dear.then(CosineNormalize())
sum_2 = sum.then(WeightedSum(other=cheap_3, weight=0.3))
sum_3 = sum_2.then(CosineNormalize())
judgement_3 = judge(sum_3, labels_3, CrossValidation(repeats=2))
product = sum.then(Product(other=cheap_3))
product_2 = product.then(CosineNormalize())
judgement_4 = judge(product_2, labels_3, CrossValidation(repeats=2))
standardised = joint_0_25_of_dear.then(StandardisedMap())
standardised_2 = standardised.then(CosineNormalize())
judgement_5 = judge(standardised_2, labels_3, CrossValidation(repeats=2))
samples_4 = read_samples(Path('hits.m8').read_bytes(), 'hits.m8', kind='similarity', format='hits', sha256='f9191b5a0175d226')
hits = samples_4.gram
hits_2 = hits.take(np.array([ 0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 22]))
filled = hits_2.then(FillUnknown(method='mean'))
filled_2 = filled.then(CosineNormalize())
filled_3 = filled_2.then(Clip())
filled_4 = filled_3.then(CosineNormalize())
judgement_6 = judge(filled_4, labels_3, CrossValidation(repeats=2))

print(judgement.multi_class)
print(judgement_2.multi_class)
print(judgement_3.multi_class)
print(judgement_4.multi_class)
print(judgement_5.multi_class)
print(judgement_6.multi_class)
