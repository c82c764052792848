# Kernex: product of cheap and dear
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import judge
from kernex_core import read_samples
from kernex_core.gram.combine import Product
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.samples import Note
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples.gram
dear = whole_dear.then(CosineNormalize())
samples_2 = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples_2.gram
cheap_2 = cheap.then(CosineNormalize())
dear_2 = dear.then(Product(other=cheap_2))
judgement = judge(dear_2, Labels(ids=('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), y=np.array(['kinase', 'ligase', 'protease', '', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease', 'kinase', 'ligase', 'protease']), groups=np.array(['lab1', 'lab1', 'lab1', 'lab1', 'lab1', 'lab1', 'lab2', 'lab2', 'lab2', 'lab2', 'lab2', 'lab2', 'lab3', 'lab3', 'lab3', 'lab3', 'lab3', 'lab3', 'lab4', 'lab4', 'lab4', 'lab4', 'lab4', 'lab4']), notes=(Note(text='Items with an entry in the file of labels: 24.', action='Joined by id.', severity='fine'),)), CrossValidation(repeats=2))

print(dear_2.values)
print('multi-class accuracy', judgement.multi_class.mean)
print('one-vs-rest accuracy', judgement.one_vs_rest.mean)
