# Kernex: classes of new sequences
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import join_labels
from kernex_core import read_labels
from kernex_core import read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.studies.new_items import classes_of, comparing, conditioned_rows
from pathlib import Path
import numpy as np

samples = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
spectrum_of_residues = Spectrum(k=2, alphabet='protein').similarities(samples_2)
spectrum_of_residues_2 = spectrum_of_residues.then(CosineNormalize())
labels = read_labels(Path('labels.csv').read_bytes(), 'labels.csv', label_column='label', id_column='id', group_column='group', sha256='36e8f15baab266bf')
labels_2 = join_labels(('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10', 'p11', 'p12', 'p13', 'p14', 'p15', 'p16', 'p17', 'p18', 'p19', 'p20', 'p21', 'p22', 'p23', 'p24'), labels).labels
states = comparing(Spectrum(k=2, alphabet='protein'), samples_2, Sequences(ids=('p01 (new)', 'odd'), strings=('GKSGHIKCDEAAA', 'WYRMNPQTAVLL')))
rows = [*states][-1]
carried = conditioned_rows(spectrum_of_residues_2, rows)
predictions = classes_of(spectrum_of_residues_2, labels_2, carried, 1.0)

print(*zip(predictions.ids, predictions.labels, predictions.margin.tolist()), sep='\n')
