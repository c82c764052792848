# Kernex: the data set mine, 24 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path('pairs.tsv').read_bytes(), 'pairs.tsv', kind='similarity', format='pairs', symmetrise='max', absent='zero', sha256='b271af922e0a82a4')
pairs = samples.gram
samples_2 = read_samples(Path('hits.m8').read_bytes(), 'hits.m8', kind='similarity', format='hits', diagonal='row_max', score_column='evalue', scale='minus_log10', sha256='f9191b5a0175d226')
hits = samples_2.gram
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels

print(len(pairs.ids))
print(len(hits.ids))
print(len(labels_2.ids))
