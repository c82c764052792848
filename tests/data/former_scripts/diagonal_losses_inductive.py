# Kernex: large diagonals
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.diagonal_components import Components
from kernex_core.studies.diagonal_margin import Margin
from kernex_core.studies.diagonal_sweep import losses_at
from kernex_core.studies.diagonal_sweep import sweeping
from kernex_core.studies.diagonals import DiagonalConfig
from kernex_core.studies.diagonals import shrunk_kernel
from pathlib import Path

samples = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples.gram
after = shrunk_kernel(DiagonalConfig(), whole_dear)
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
states = sweeping(DiagonalConfig(), whole_dear, labels_2, CrossValidation(repeats=1, C=1000000.0, inductive=True), Margin(), Components(number=4))
here = losses_at(DiagonalConfig(), whole_dear, labels_2, CrossValidation(repeats=1, C=1000000.0, inductive=True), Margin(), Components(number=4))

print(after.values)
print([(p, round(found["svm"].mean, 4)) for s in list(states)[-1:] for p, found in zip(s.strengths, s.judged)])
print((0.5, {name: round(found.mean, 4) for name, found in here.items()}))
