# Kernex: large diagonals
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import load_dataset
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.diagonal_components import Components
from kernex_core.studies.diagonal_margin import Margin
from kernex_core.studies.diagonal_sweep import losses_at
from kernex_core.studies.diagonal_sweep import sweeping
from kernex_core.studies.diagonals import DiagonalConfig
from kernex_core.studies.diagonals import shrunk_kernel

data = load_dataset('almost_orthogonal_strings', seed=0)
subsequences = data.kernels['subsequences']
after = shrunk_kernel(DiagonalConfig(), subsequences)
labels = data.labels
states = sweeping(DiagonalConfig(), subsequences, labels, CrossValidation(repeats=1, C=1000000.0), Margin(), Components())
here = losses_at(DiagonalConfig(), subsequences, labels, CrossValidation(repeats=1, C=1000000.0), Margin(), Components())

print(after.values)
print([(p, round(found["svm"].mean, 4)) for s in list(states)[-1:] for p, found in zip(s.strengths, s.judged)])
print((0.5, {name: round(found.mean, 4) for name, found in here.items()}))
