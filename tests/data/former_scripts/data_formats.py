# Kernex: the data set mine, 24 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path('book.xlsx').read_bytes(), 'book.xlsx', kind='similarity', format='workbook', sheet='scores', sha256='46eacafb61421ea7')
book = samples.gram
samples_2 = read_samples(Path('named.npz').read_bytes(), 'named.npz', kind='similarity', format='numpy', key='K2', sha256='77f76e85244b29c5')
named = samples_2.gram
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels

print(len(book.ids))
print(len(named.ids))
print(len(labels_2.ids))
