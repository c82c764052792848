# Kernex: hits, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path('hits.m8').read_bytes(), 'hits.m8', kind='similarity', format='hits', sha256='f9191b5a0175d226')
hits = samples.gram

print(hits.values)
