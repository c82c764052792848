# Kernex: the data set mine, 18 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from pathlib import Path
import numpy as np

samples = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604')
residues = samples.take(np.array([ 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22]))
samples_2 = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples_2.gram
cheap_2 = cheap.take(np.array([ 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22]))
samples_3 = read_samples(Path('dear.tsv').read_bytes(), 'dear.tsv', kind='similarity', format='matrix', sha256='9d1e4b165629324d')
dear = samples_3.gram
labels = read_labels(Path('some labels.csv').read_bytes(), 'some labels.csv', label_column='label', id_column='id', sha256='c8d28f1a9af50a32')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p05', 'p06', 'p07', 'p09', 'p10', 'p11', 'p13', 'p14', 'p15', 'p17', 'p18', 'p19', 'p21', 'p22', 'p23'), labels).labels

print(len(residues.ids))
print(len(cheap_2.ids))
print(len(dear.ids))
print(len(labels_2.ids))
