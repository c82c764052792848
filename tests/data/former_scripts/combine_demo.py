# Kernex: joint of upper half and whole image
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import judge
from kernex_core import load_dataset
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.joint.completion import Complete
from kernex_core.learning.folds import CrossValidation
import numpy as np

data = load_dataset('half_seen_digits', seed=0)
whole_image = data.kernels['whole image']
whole_image_2 = whole_image.take(np.array([ 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269]))
whole_image_3 = whole_image_2.then(CosineNormalize())
upper_half = data.kernels['upper half']
upper_half_2 = upper_half.take(np.array([ 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269]))
upper_half_3 = upper_half_2.then(CosineNormalize())
whole_image_4 = whole_image_3.then(Complete(source=upper_half_3, lam=0.3))
labels = data.labels
labels_2 = labels.take(np.array([ 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269]))
judgement = judge(whole_image_4, labels_2, CrossValidation(repeats=1))

print(whole_image_4.values)
print('multi-class accuracy', judgement.multi_class.mean)
print('one-vs-rest accuracy', judgement.one_vs_rest.mean)
