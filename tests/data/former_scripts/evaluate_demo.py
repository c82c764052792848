# Kernex: whole image
from kernex_core import judge
from kernex_core import load_dataset
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.folds import CrossValidation

data = load_dataset('half_seen_digits', seed=0)
whole_image = data.kernels['whole image']
whole_image_2 = whole_image.then(CosineNormalize())
labels = data.labels
judgement = judge(whole_image_2, labels, CrossValidation(repeats=1))

print(judgement.multi_class)
