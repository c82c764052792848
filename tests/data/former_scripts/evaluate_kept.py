# Kernex: cheap, dear, words, clipped, joint, as uploaded, sum, product, joint of both, map, root, spectrum, standardised, filled
from kernex_core import expand
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.empirical_map import StandardisedMap
from kernex_core.conditioning.fill import FillUnknown
from kernex_core.conditioning.power import SignedLog
from kernex_core.conditioning.spectral_map import SpectralMap
from kernex_core.conditioning.square_root import SquareRootMap
from kernex_core.extrapolation.hide import Hide
from kernex_core.gram.combine import Product
from kernex_core.gram.combine import WeightedSum
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.joint.completion import Complete
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples.gram
cheap_2 = cheap.then(CosineNormalize())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
judgement = judge(cheap_2, labels_2, CrossValidation(repeats=2))
samples_2 = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples_2.gram
dear = whole_dear.then(CosineNormalize())
judgement_2 = judge(dear, labels_2, CrossValidation(repeats=2))
samples_3 = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604')
samples_4 = samples_3.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
words = Spectrum(k=2, alphabet='protein').similarities(samples_4)
words_2 = words.then(CosineNormalize())
judgement_3 = judge(words_2, labels_2, CrossValidation(repeats=2))
samples_5 = read_samples(Path('indefinite.csv').read_bytes(), 'indefinite.csv', kind='similarity', format='matrix', sha256='2d0b1e38dc816872')
indefinite = samples_5.gram
indefinite_2 = indefinite.then(CosineNormalize())
indefinite_3 = indefinite_2.then(Clip())
indefinite_4 = indefinite_3.then(CosineNormalize())
indefinite_5 = indefinite_4.then(CosineNormalize())
judgement_4 = judge(indefinite_5, labels_2, CrossValidation(repeats=2))
joint_0_25_of_dear = whole_dear.then(Hide(hidden=(1, 5, 9, 14, 15, 17)))
joint_0_25_of_dear_2 = joint_0_25_of_dear.then(Clip())
joint_0_25_of_dear_3 = joint_0_25_of_dear_2.then(CosineNormalize())
joint_0_25_of_dear_4 = joint_0_25_of_dear_3.then(Complete(source=cheap_2))
judgement_5 = judge(joint_0_25_of_dear_4, labels_2, CrossValidation(repeats=2))
samples_6 = read_samples(Path('dear.tsv').read_bytes(), 'dear.tsv', kind='similarity', format='matrix', sha256='9d1e4b165629324d')
dear_2 = samples_6.gram
dear_3 = expand(dear_2, ('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'))
joint_0_25_of_dear_5 = dear_3.then(Clip())
joint_0_25_of_dear_6 = joint_0_25_of_dear_5.then(CosineNormalize())
joint_0_25_of_dear_7 = joint_0_25_of_dear_6.then(Complete(source=cheap_2))
judgement_6 = judge(joint_0_25_of_dear_7, labels_2, CrossValidation(repeats=2))
dear_4 = dear.then(WeightedSum(other=cheap_2, weight=0.3))
dear_5 = dear_4.then(CosineNormalize())
judgement_7 = judge(dear_5, labels_2, CrossValidation(repeats=2))
dear_6 = dear.then(Product(other=cheap_2))
dear_7 = dear_6.then(CosineNormalize())
judgement_8 = judge(dear_7, labels_2, CrossValidation(repeats=2))
dear_8 = dear.then(Complete(source=cheap_2, lam=0.3))
judgement_9 = judge(dear_8, labels_2, CrossValidation(repeats=2))
dear_9 = whole_dear.then(EmpiricalMap())
dear_10 = dear_9.then(CosineNormalize())
judgement_10 = judge(dear_10, labels_2, CrossValidation(repeats=2))
dear_11 = whole_dear.then(SquareRootMap())
dear_12 = dear_11.then(CosineNormalize())
judgement_11 = judge(dear_12, labels_2, CrossValidation(repeats=2))
dear_13 = whole_dear.then(SpectralMap(phi=SignedLog()))
dear_14 = dear_13.then(CosineNormalize())
judgement_12 = judge(dear_14, labels_2, CrossValidation(repeats=2))
dear_15 = whole_dear.then(StandardisedMap())
dear_16 = dear_15.then(CosineNormalize())
judgement_13 = judge(dear_16, labels_2, CrossValidation(repeats=2))
samples_7 = read_samples(Path('hits.m8').read_bytes(), 'hits.m8', kind='similarity', format='hits', sha256='f9191b5a0175d226')
hits = samples_7.gram
hits_2 = hits.then(FillUnknown(method='mean'))
hits_3 = hits_2.then(CosineNormalize())
hits_4 = hits_3.then(Clip())
hits_5 = hits_4.then(CosineNormalize())
judgement_14 = judge(hits_5, labels_2, CrossValidation(repeats=2))

print(judgement.multi_class)
print(judgement_2.multi_class)
print(judgement_3.multi_class)
print(judgement_4.multi_class)
print(judgement_5.multi_class)
print(judgement_6.multi_class)
print(judgement_7.multi_class)
print(judgement_8.multi_class)
print(judgement_9.multi_class)
print(judgement_10.multi_class)
print(judgement_11.multi_class)
print(judgement_12.multi_class)
print(judgement_13.multi_class)
print(judgement_14.multi_class)
