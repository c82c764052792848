# Kernex: cheap, dear
from kernex_core import judge
from kernex_core import read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples.gram
cheap_2 = cheap.then(CosineNormalize())
judgement = judge(cheap_2, np.array(['kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', '', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease']), CrossValidation(repeats=1, grouped=True), groups=np.array(['lab1', 'lab1', 'lab1', 'lab1', 'lab1', 'lab1', 'lab2', 'lab2', 'lab2', 'lab2', 'lab2', 'lab2', 'lab3', 'lab3', 'lab3', 'lab3', 'lab3', 'lab3', 'lab4', 'lab4', 'lab4', 'lab4', 'lab4', 'lab4']))
samples_2 = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples_2.gram
dear = whole_dear.then(CosineNormalize())
judgement_2 = judge(dear, np.array(['kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', '', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease']), CrossValidation(repeats=1, grouped=True), groups=np.array(['lab1', 'lab1', 'lab1', 'lab1', 'lab1', 'lab1', 'lab2', 'lab2', 'lab2', 'lab2', 'lab2', 'lab2', 'lab3', 'lab3', 'lab3', 'lab3', 'lab3', 'lab3', 'lab4', 'lab4', 'lab4', 'lab4', 'lab4', 'lab4']))

print(judgement.multi_class)
print(judgement_2.multi_class)
