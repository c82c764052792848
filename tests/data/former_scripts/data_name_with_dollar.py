# Kernex: the data set mine, 24 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path("it's a \x245 matrix.csv").read_bytes(), "it's a \x245 matrix.csv", kind='similarity', format='matrix', sha256='c9e7c480f3389289')
it_s_a_5 = samples.gram
labels = read_samples(Path("it's a \x245 matrix.csv").read_bytes(), "it's a \x245 matrix.csv", kind='similarity', format='matrix', sha256='c9e7c480f3389289').labels

print(len(it_s_a_5.ids))
print(len(labels.ids))
