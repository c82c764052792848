# Kernex: structure hits, unknown pairs become half the lowest
from kernex_core import judge
from kernex_core import load_dataset
from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.fill import FillUnknown
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.folds import CrossValidation

data = load_dataset('structure_hits', seed=0)
structure_hits = data.kernels['structure hits']
structure_hits_2 = structure_hits.then(FillUnknown(method='half the lowest'))
structure_hits_3 = structure_hits_2.then(CosineNormalize())
structure_hits_4 = structure_hits_3.then(Clip())
labels = data.labels
judgement = judge(structure_hits_4, labels, CrossValidation(repeats=1))

print(structure_hits_3.values)
print('multi-class accuracy', judgement.multi_class.mean)
