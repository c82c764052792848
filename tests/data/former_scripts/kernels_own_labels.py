# Kernex: cheap, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import judge
from kernex_core import read_samples
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples.gram
judgement = judge(cheap, np.array(['kinase', 'ligase', '', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease']), CrossValidation(repeats=2))

print(cheap.values)
print(judgement.multi_class)
