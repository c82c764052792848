# Kernex: Tables 1 and 2 of Kernel extrapolation (2006), measured
# Missing fraction, λ, one-vs-rest accuracy, multi-class accuracy.
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion_config import CompletionConfig
from kernex_core.studies.extrapolation_tables import measuring
from pathlib import Path

samples = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples.gram
samples_2 = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples_2.gram
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
states = measuring(CompletionConfig(), cheap, whole_dear, labels_2, CrossValidation(C=5.0), shares=(0.1, 0.25, 0.5), lams=(0.1, 0.25, 0.5, 0.75, 0.9))

print(*((s, l, t.joint(s, l).mean, t.joint(s, l, 'multi_class').mean) for t in list(states)[-1:] for s in t.shares for l in t.lams), sep='\n')
