# Kernex: Table 6 of almost orthogonal patterns (2002), measured
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from kernex_core.studies.orthogonal_families import FamiliesConfig
from kernex_core.studies.orthogonal_families import measuring_table_6
from kernex_core.studies.orthogonal_family_files import read_families
from pathlib import Path

samples = read_samples(Path('cheap.csv').read_bytes(), 'cheap.csv', kind='similarity', format='matrix', sha256='bd9c98f7e165a480')
cheap = samples.gram
families = read_families(Path('families.csv').read_bytes(), 'families.csv', sha256='6dc5de727e3d19ae')
states = measuring_table_6(FamiliesConfig(), cheap, families)

print(*((c, t.roc[c].round(4), t.rfp[c].round(4)) for t in list(states)[-1:] for c in t.roc), sep='\n')
