# Kernex: the data set domains, 16 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from pathlib import Path
import numpy as np

samples = read_samples(Path('domains.fasta').read_bytes(), 'domains.fasta', kind='sequences', format='fasta', header='{id} {label}', levels=3, sha256='51079edf929be786')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
domains = samples_2.take(np.array([ 0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 22]))
labels = read_samples(Path('domains.fasta').read_bytes(), 'domains.fasta', kind='sequences', format='fasta', header='{id} {label}', levels=3, sha256='51079edf929be786').labels
labels_2 = labels.take(np.array([ 0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 22]))

print(len(domains.ids))
print(len(labels_2.ids))
