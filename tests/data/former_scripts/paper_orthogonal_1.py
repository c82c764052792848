# Kernex: Table 1 of almost orthogonal patterns (2002), measured
from kernex_core.studies.orthogonal_patterns import OrthogonalConfig
from kernex_core.studies.orthogonal_patterns import measuring_table_1

states = measuring_table_1(OrthogonalConfig(trials=2))

print(*((column, t.mean(column).round(3)) for t in list(states)[-1:] for column in t.losses), sep='\n')
