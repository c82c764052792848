# Kernex: plain, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import judge
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.learning.folds import CrossValidation
from pathlib import Path

samples = read_samples(Path('plain.npy').read_bytes(), 'plain.npy', kind='similarity', format='numpy', sha256='663996e43a79032a')
plain = samples.gram
labels = read_labels(Path('labels in order.txt').read_bytes(), 'labels in order.txt', label_column='column 1', sha256='635ff35020d6bba3')
labels_2 = join_labels(('1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '20', '21', '22', '23', '24'), labels, by_position=True).labels
judgement = judge(plain, labels_2, CrossValidation(repeats=2))

print(plain.values)
print(judgement.multi_class)
