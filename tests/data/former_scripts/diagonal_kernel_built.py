# Kernex: words, square root p = 0.5
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.conditioning.square_root import SquareRootMap
from kernex_core.kernels.sequences.spectrum import Spectrum
from pathlib import Path
import numpy as np

samples = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
words = Spectrum(k=2, alphabet='protein').similarities(samples_2)
words_2 = words.then(SquareRootMap())

print(words_2.values)
