# Kernex: ANOVA of genes, repair none
# Run it beside the folder kernex_core, with the uploaded files in the same place.
from kernex_core import judge
from kernex_core import read_samples
from kernex_core.kernels.vectors.subsets import Anova
from kernex_core.learning.folds import CrossValidation
from pathlib import Path
import numpy as np

samples = read_samples(Path('genes.csv').read_bytes(), 'genes.csv', kind='vectors', format='vectors', label_column='class', id_column='name', skip='batch', sha256='b84497b99b49b08d')
samples_2 = samples.take(np.array([ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
anova_of_genes = Anova(weights=(1.0, 0.5, 0.25)).similarities(samples_2)
labels = read_samples(Path('genes.csv').read_bytes(), 'genes.csv', kind='vectors', format='vectors', label_column='class', id_column='name', skip='batch', sha256='b84497b99b49b08d').labels
judgement = judge(anova_of_genes, labels, CrossValidation(repeats=2))

print(anova_of_genes.values)
print(judgement.multi_class)
