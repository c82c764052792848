# Kernex: large diagonals
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core import without_columns
from kernex_core.conditioning.imputed_kernel import ImputedKernel
from kernex_core.conditioning.imputed_kernel import nothing_known
from kernex_core.kernels.vectors.dot_product import Linear
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.diagonal_components import Components
from kernex_core.studies.diagonal_margin import Margin
from kernex_core.studies.diagonal_sweep import losses_at
from kernex_core.studies.diagonal_sweep import sweeping
from kernex_core.studies.diagonals import DiagonalConfig
from kernex_core.studies.diagonals import shrunk_kernel
from pathlib import Path
import numpy as np

linear = nothing_known(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'))
samples = read_samples(Path('gaps.csv').read_bytes(), 'gaps.csv', kind='vectors', format='vectors', label_column='class', id_column='name', sha256='25164f2532b3d4f7')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
samples_3 = without_columns(samples_2, ('told',))
linear_2 = linear.then(ImputedKernel(vectors=samples_3, kernel=Linear()))
after = shrunk_kernel(DiagonalConfig(), linear_2)
labels = read_samples(Path('gaps.csv').read_bytes(), 'gaps.csv', kind='vectors', format='vectors', label_column='class', id_column='name', sha256='25164f2532b3d4f7').labels
states = sweeping(DiagonalConfig(), linear_2, labels, CrossValidation(repeats=1, C=1000000.0, inductive=True), Margin(), Components(number=4))
here = losses_at(DiagonalConfig(), linear_2, labels, CrossValidation(repeats=1, C=1000000.0, inductive=True), Margin(), Components(number=4))

print(after.values)
print([(p, round(found["svm"].mean, 4)) for s in list(states)[-1:] for p, found in zip(s.strengths, s.judged)])
print((0.5, {name: round(found.mean, 4) for name, found in here.items()}))
