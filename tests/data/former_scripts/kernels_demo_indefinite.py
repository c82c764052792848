# Kernex: log structure, repair flip
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import judge
from kernex_core import load_dataset
from kernex_core.conditioning.flip import Flip
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.folds import CrossValidation

data = load_dataset('indefinite_similarities', seed=0)
log_structure = data.kernels['log structure']
log_structure_2 = log_structure.then(CosineNormalize())
log_structure_3 = log_structure_2.then(Flip())
log_structure_4 = log_structure_3.then(CosineNormalize())
labels = data.labels
judgement = judge(log_structure_4, labels, CrossValidation(repeats=1))

print(log_structure_4.values)
print(judgement.multi_class)
