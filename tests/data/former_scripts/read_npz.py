# Kernex: named, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path('named.npz').read_bytes(), 'named.npz', kind='similarity', format='numpy', key='K2', sha256='77f76e85244b29c5')
named = samples.gram

print(named.values)
