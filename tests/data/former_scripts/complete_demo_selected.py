# Kernex: whole image completed from upper half, λ = 0.25
# Run it beside the folder kernex_core, with the uploaded files in the same place.
# The matrix is the one that the page shows; in the accuracy every repetition hides other items.
from kernex_core import load_dataset
from kernex_core.conditioning.clip import Clip
from kernex_core.extrapolation.hide import Hide
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.joint.completion import Complete
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion_config import CompletionConfig
from kernex_core.studies.sweep import joint_curve, sweeping
import numpy as np

data = load_dataset('half_seen_digits', seed=0)
whole_image = data.kernels['whole image']
whole_image_2 = whole_image.take(np.array([ 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269]))
whole_image_3 = whole_image_2.then(Hide(hidden=(0, 1, 3, 5, 6, 7, 9, 11, 12, 13, 14, 15, 17, 18, 19, 21, 22, 25, 26, 28, 29, 30, 31, 32, 33, 35, 36, 37, 38, 39, 40, 41, 43, 45, 46, 47, 48, 49, 50, 53, 54, 55, 56, 58, 59)))
whole_image_4 = whole_image_3.then(Clip())
whole_image_5 = whole_image_4.then(CosineNormalize())
upper_half = data.kernels['upper half']
upper_half_2 = upper_half.take(np.array([ 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269]))
upper_half_3 = upper_half_2.then(CosineNormalize())
whole_image_6 = whole_image_5.then(Complete(source=upper_half_3))
labels = data.labels
labels_2 = labels.take(np.array([ 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269]))
states = sweeping(CompletionConfig(share=0.75), upper_half_3, whole_image_2, labels_2, CrossValidation(repeats=1), shares=(0.75,))
sweep = [*states][-1].sweep
accuracy = joint_curve(sweep, 0.25)

print(whole_image_6.values)
print('multi-class accuracy', accuracy[0].mean[0], 'sd over repetitions', accuracy[0].sd[0])
print('one-vs-rest accuracy', accuracy[1].mean[0], 'sd over repetitions', accuracy[1].sd[0])
