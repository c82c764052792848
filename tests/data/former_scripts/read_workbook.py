# Kernex: book, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import read_samples
from pathlib import Path

samples = read_samples(Path('book.xlsx').read_bytes(), 'book.xlsx', kind='similarity', format='workbook', sheet='scores', sha256='46eacafb61421ea7')
book = samples.gram

print(book.values)
