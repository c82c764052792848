# Kernex: it's a $5, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import judge
from kernex_core import read_samples
from kernex_core.learning.folds import CrossValidation
from pathlib import Path

samples = read_samples(Path("it's a \x245 matrix.csv").read_bytes(), "it's a \x245 matrix.csv", kind='similarity', format='matrix', sha256='c9e7c480f3389289')
it_s_a_5_matrix = samples.gram
labels = read_samples(Path("it's a \x245 matrix.csv").read_bytes(), "it's a \x245 matrix.csv", kind='similarity', format='matrix', sha256='c9e7c480f3389289').labels
judgement = judge(it_s_a_5_matrix, labels, CrossValidation(repeats=2))

print(it_s_a_5_matrix.values)
print(judgement.multi_class)
