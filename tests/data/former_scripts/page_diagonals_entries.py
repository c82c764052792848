# Kernex: indefinite, entries p = 0.3
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.conditioning.power import SignedPower
from pathlib import Path

samples = read_samples(Path('indefinite.csv').read_bytes(), 'indefinite.csv', kind='similarity', format='matrix', sha256='2d0b1e38dc816872')
indefinite = samples.gram
indefinite_2 = indefinite.then(SignedPower(p=0.3))

print(indefinite_2.values)
