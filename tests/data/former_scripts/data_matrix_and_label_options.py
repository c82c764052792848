# Kernex: the data set mine, 24 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', symmetrise='refuse', ids='both', sha256='bd9c98f7e165a480')
cheap = samples.gram
samples_2 = read_samples(Path("it's a \x245 matrix.csv").read_bytes(), "it's a \x245 matrix.csv", kind='similarity', format='matrix', label_column='class', sha256='c9e7c480f3389289')
it_s = samples_2.gram
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='group', id_column='id', header='yes', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels

print(len(cheap.ids))
print(len(it_s.ids))
print(len(labels_2.ids))
