# Kernex: the data set gaps, 24 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core import without_columns
from pathlib import Path
import numpy as np

samples = read_samples(Path('gaps.csv').read_bytes(), 'gaps.csv', kind='vectors', format='vectors', label_column='class', id_column='name', sha256='25164f2532b3d4f7')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
gaps = without_columns(samples_2, ('told',))
labels = read_samples(Path('gaps.csv').read_bytes(), 'gaps.csv', kind='vectors', format='vectors', label_column='class', id_column='name', sha256='25164f2532b3d4f7').labels

print(len(gaps.ids))
print(len(labels.ids))
