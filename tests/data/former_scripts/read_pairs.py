# Kernex: pairs, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path('pairs.tsv').read_bytes(), 'pairs.tsv', kind='similarity', format='pairs', absent='zero', sha256='b271af922e0a82a4')
pairs = samples.gram

print(pairs.values)
