# Kernex: dear completed from cheap, λ = 0.25
# Run it beside the folder kernex_core, with the uploaded files in the same place.
# The matrix is the one that the page shows; in the accuracy every repetition hides other items.
from kernex_core import read_samples
from kernex_core.conditioning.clip import Clip
from kernex_core.extrapolation.hide import Hide
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.joint.completion import Complete
from pathlib import Path

samples = read_samples(Path('whole dear.csv').read_bytes(), 'whole dear.csv', kind='similarity', format='matrix', sha256='5c964fd8e9f88949')
whole_dear = samples.gram
dear = whole_dear.then(Hide(hidden=(1, 5, 9, 14, 15, 17)))
dear_2 = dear.then(Clip())
dear_3 = dear_2.then(CosineNormalize())
samples_2 = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples_2.gram
cheap_2 = cheap.then(CosineNormalize())
dear_4 = dear_3.then(Complete(source=cheap_2))

print(dear_4.values)
