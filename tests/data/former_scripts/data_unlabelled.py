# Kernex: the data set mine, 24 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples.gram

print(len(cheap.ids))
