# Kernex: subsequences, empirical map p = 0.5
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import load_dataset
from kernex_core.conditioning.empirical_map import EmpiricalMap

data = load_dataset('almost_orthogonal_strings', seed=0)
subsequences = data.kernels['subsequences']
subsequences_2 = subsequences.then(EmpiricalMap())

print(subsequences_2.values)
