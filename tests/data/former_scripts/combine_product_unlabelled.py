# Kernex: product of cheap and dear
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.gram.combine import Product
from kernex_core.gram.normalize import CosineNormalize
from pathlib import Path

samples = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples.gram
dear = whole_dear.then(CosineNormalize())
samples_2 = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples_2.gram
cheap_2 = cheap.then(CosineNormalize())
dear_2 = dear.then(Product(other=cheap_2))

print(dear_2.values)
