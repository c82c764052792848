# Kernex: structure completed from sequence, λ = 0.25
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

data = load_dataset('protein_world', seed=0)
structure = data.kernels['structure']
structure_2 = structure.then(Hide(hidden=(7, 12, 14, 21, 24, 26, 29, 31, 32, 33, 45, 46, 49, 51, 56, 58, 59, 61, 62, 63, 69, 73, 76, 77, 78, 86, 95, 96, 101, 104, 113, 115, 120, 121, 125, 127, 128, 159, 166, 168, 169, 176, 178, 182, 184, 186, 190, 191, 196, 199, 202, 205)))
structure_3 = structure_2.then(Clip())
structure_4 = structure_3.then(CosineNormalize())
sequence = data.kernels['sequence']
sequence_2 = sequence.then(CosineNormalize())
structure_5 = structure_4.then(Complete(source=sequence_2))
labels = data.labels
states = sweeping(CompletionConfig(), sequence_2, structure, labels, CrossValidation(repeats=1, C=1.5), shares=(0.25,))
sweep = [*states][-1].sweep
accuracy = joint_curve(sweep, 0.25)

print(structure_5.values)
print('multi-class accuracy', accuracy[0].mean[0], 'sd over repetitions', accuracy[0].sd[0])
print('one-vs-rest accuracy', accuracy[1].mean[0], 'sd over repetitions', accuracy[1].sd[0])
