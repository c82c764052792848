# Kernex: Table 3 of almost orthogonal patterns (2002), measured
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core.studies.orthogonal_hidden import HiddenConfig
from kernex_core.studies.orthogonal_hidden import measuring_table_3

states = measuring_table_3(HiddenConfig(data_sets=1, n=20))

print(*((column, t.mean(column).round(3)) for t in list(states)[-1:] for column in t.losses), sep='\n')
