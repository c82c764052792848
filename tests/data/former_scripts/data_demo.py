# Kernex: the data set Hits only, 120 items
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import load_dataset

data = load_dataset('structure_hits', seed=0)
residues = data.samples['residues']
structure_string = data.samples['structure string']
sequence = data.kernels['sequence']
structure_hits = data.kernels['structure hits']
structure = data.kernels['structure']
labels = data.labels

print(len(residues.ids))
print(len(structure_string.ids))
print(len(sequence.ids))
print(len(structure_hits.ids))
print(len(structure.ids))
print(len(labels.ids))
