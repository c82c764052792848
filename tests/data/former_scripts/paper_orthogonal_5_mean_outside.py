# Kernex: Table 5 of almost orthogonal patterns (2002), measured
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.studies.orthogonal_lymphoma import LymphomaConfig
from kernex_core.studies.orthogonal_lymphoma import measuring_table_5
from pathlib import Path
import numpy as np

samples = read_samples(Path('log ratios.csv').read_bytes(), 'log ratios.csv', kind='vectors', format='vectors', label_column='label', id_column='sample', sha256='4958ef599903d07b')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35]))
labels = read_samples(Path('log ratios.csv').read_bytes(), 'log ratios.csv', kind='vectors', format='vectors', label_column='label', id_column='sample', sha256='4958ef599903d07b').labels
states = measuring_table_5(LymphomaConfig(repeats=1, inside=False), samples_2, labels, ('DLBCL', 'FL'))

print(*((column, t.mean(column).round(3)) for t in list(states)[-1:] for column in t.losses), sep='\n')
