# Kernex: Linear
from kernex_core import judge
from kernex_core import read_samples
from kernex_core import without_columns
from kernex_core.conditioning.imputed_kernel import ImputedKernel
from kernex_core.conditioning.imputed_kernel import nothing_known
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.kernels.vectors.dot_product import Linear
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

linear = nothing_known(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'))
samples = read_samples(Path('gaps.csv').read_bytes(), 'gaps.csv', kind='vectors', format='vectors', label_column='class', id_column='name', sha256='25164f2532b3d4f7')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
samples_3 = without_columns(samples_2, ('told',))
linear_2 = linear.then(ImputedKernel(vectors=samples_3, kernel=Linear()))
linear_3 = linear_2.then(CosineNormalize())
labels = read_samples(Path('gaps.csv').read_bytes(), 'gaps.csv', kind='vectors', format='vectors', label_column='class', id_column='name', sha256='25164f2532b3d4f7').labels
judgement = judge(linear_3, labels, CrossValidation(repeats=1, inductive=True))

print(judgement.multi_class)
