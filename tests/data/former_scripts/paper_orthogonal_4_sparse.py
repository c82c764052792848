# Kernex: Table 4 of almost orthogonal patterns (2002), measured
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core.studies.orthogonal_sparse import read_sparse_vectors
from kernex_core.studies.orthogonal_thrombin import ThrombinConfig
from kernex_core.studies.orthogonal_thrombin import measuring_table_4
from pathlib import Path

sparse = read_sparse_vectors(Path('sparse.svm').read_bytes(), 'sparse.svm', sha256='0baef7027c4a3757')
k = sparse.kernel()
labels = sparse.labels
states = measuring_table_4(ThrombinConfig(repeats=1), k, labels, ())

print(*((column, t.mean(column).round(3)) for t in list(states)[-1:] for column in t.losses), sep='\n')
