# Kernex: dear, empirical map log, scale = 1000
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedLog
from pathlib import Path

samples = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples.gram
dear = whole_dear.then(EmpiricalMap(phi=SignedLog(scale=1000.0)))

print(dear.values)
