# Kernex: Table 4 of almost orthogonal patterns (2002), measured
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.studies.orthogonal_thrombin import ThrombinConfig
from kernex_core.studies.orthogonal_thrombin import measuring_table_4
from pathlib import Path

samples = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples.gram
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
states = measuring_table_4(ThrombinConfig(repeats=1, C=50.0), whole_dear, labels_2, ('kinase',))

print(*((column, t.mean(column).round(3)) for t in list(states)[-1:] for column in t.losses), sep='\n')
