# Kernex: Table 6 of almost orthogonal patterns (2002), measured
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.studies.orthogonal_families import FamiliesConfig
from kernex_core.studies.orthogonal_families import measuring_table_6
from kernex_core.studies.orthogonal_family_files import read_families
from pathlib import Path
import numpy as np

samples = read_samples(Path('residues.fasta').read_bytes(), 'residues.fasta', kind='sequences', format='fasta', header='{id}|{label}|*', sha256='97dacd49ad561604')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
words = Spectrum(k=2, alphabet='protein').similarities(samples_2)
words_2 = words.then(CosineNormalize())
families = read_families(Path('families.csv').read_bytes(), 'families.csv', sha256='6dc5de727e3d19ae')
states = measuring_table_6(FamiliesConfig(), words_2, families)

print(*((c, t.roc[c].round(4), t.rfp[c].round(4)) for t in list(states)[-1:] for c in t.roc), sep='\n')
