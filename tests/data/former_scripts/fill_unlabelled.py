# Kernex: hits, unknown pairs become zero
from kernex_core import read_samples
from kernex_core.conditioning.fill import FillUnknown
from kernex_core.gram.normalize import CosineNormalize
from pathlib import Path

samples = read_samples(Path('hits.m8').read_bytes(), 'hits.m8', kind='similarity', format='hits', sha256='f9191b5a0175d226')
hits = samples.gram
hits_2 = hits.then(FillUnknown())
hits_3 = hits_2.then(CosineNormalize())

print(hits_3.values)
