# Kernex: distances, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.inputs.distance import CentredSquares
from pathlib import Path

samples = read_samples(Path('distances.csv').read_bytes(), 'distances.csv', kind='similarity', format='matrix', sha256='7a14703322f59f01')
distances = samples.gram
distances_2 = distances.then(CentredSquares())

print(distances_2.values)
