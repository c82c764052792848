# Kernex: large diagonals
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import expand
from kernex_core import read_samples
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.diagonal_components import Components
from kernex_core.studies.diagonal_margin import Margin
from kernex_core.studies.diagonal_sweep import losses_at
from kernex_core.studies.diagonal_sweep import sweeping
from kernex_core.studies.diagonals import DiagonalConfig
from kernex_core.studies.diagonals import shrunk_kernel
from pathlib import Path
import numpy as np

samples = read_samples(Path('dear.tsv').read_bytes(), 'dear.tsv', kind='similarity', format='matrix', sha256='9d1e4b165629324d')
dear = samples.gram
dear_2 = expand(dear, ('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'))
after = shrunk_kernel(DiagonalConfig(), dear_2)
dear_3 = dear_2.take(np.array([ 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22]))
states = sweeping(DiagonalConfig(), dear_3, Labels(ids=('p01', 'p02', 'p03', 'p05', 'p06', 'p07', 'p09', 'p10', 'p11', 'p13', 'p14', 'p15', 'p17', 'p18', 'p19', 'p21', 'p22', 'p23'), y=np.array(['kinase', 'ligase', 'protease', 'ligase', 'protease', 'kinase', 'protease', 'kinase', 'ligase', 'kinase', 'ligase', 'protease', 'ligase', 'protease', 'kinase', 'protease', 'kinase', 'ligase']), groups=np.array(['lab1', 'lab1', 'lab1', 'lab1', 'lab1', 'lab2', 'lab2', 'lab2', 'lab2', 'lab3', 'lab3', 'lab3', 'lab3', 'lab3', 'lab4', 'lab4', 'lab4', 'lab4'])), CrossValidation(repeats=1, C=1000000.0), Margin(), Components(number=4))
here = losses_at(DiagonalConfig(), dear_3, Labels(ids=('p01', 'p02', 'p03', 'p05', 'p06', 'p07', 'p09', 'p10', 'p11', 'p13', 'p14', 'p15', 'p17', 'p18', 'p19', 'p21', 'p22', 'p23'), y=np.array(['kinase', 'ligase', 'protease', 'ligase', 'protease', 'kinase', 'protease', 'kinase', 'ligase', 'kinase', 'ligase', 'protease', 'ligase', 'protease', 'kinase', 'protease', 'kinase', 'ligase']), groups=np.array(['lab1', 'lab1', 'lab1', 'lab1', 'lab1', 'lab2', 'lab2', 'lab2', 'lab2', 'lab3', 'lab3', 'lab3', 'lab3', 'lab3', 'lab4', 'lab4', 'lab4', 'lab4'])), CrossValidation(repeats=1, C=1000000.0), Margin(), Components(number=4))

print(after.values)
print([(p, round(found["svm"].mean, 4)) for s in list(states)[-1:] for p, found in zip(s.strengths, s.judged)])
print((0.5, {name: round(found.mean, 4) for name, found in here.items()}))
