"""Laws of kernels on vectors and on nodes, and of what is made of a network."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from scipy.sparse import csr_array

import kernex_core as kx
from kernex_core.runtime.progress import finished
from tests.kernex_core.magnitudes.law import law
from tests.kernex_core.magnitudes.things import ABOVE, LABELS, B, N, X, last, network

ONE = ABOVE[:, :1]


def exactly(s, of):
    """What a kernel is of one column, from products without a limit of range, rounded once; nothing where it is no float."""
    x = [Fraction(float(each)) for each in (s * ONE).ravel()]
    made = [[of(a * b) for b in x] for a in x]
    return np.array([[float(k) if k < Fraction(10) ** 308 else np.nan for k in row] for row in made])


SAMPLES = {
    "KERNELS:Linear": law(lambda s: kx.Linear().gram(s * X), it=2),
    "KERNELS:Cosine": law(lambda s: kx.Cosine().gram(s * X), it=0),
    "KERNELS:Polynomial": law(lambda s: kx.Polynomial(2, 0.0).gram(s * X), it=4),
    "KERNELS:Gaussian": law(lambda s: kx.Gaussian().gram(s * X), it=0),
    "KERNELS:Gaussian, its width": law(lambda s: kx.Gaussian().resolved(s * X), sigma=1),
    "KERNELS:Gaussian of a width": law(lambda s: kx.Gaussian(2.0 * s).cross(s * X, s * ABOVE), it=0),
    "KERNELS:Laplace": law(lambda s: kx.Laplace(1.0 / s).gram(s * X), it=0),
    "KERNELS:Minimum": law(lambda s: kx.Minimum().gram(s * ABOVE), it=1),
    "KERNELS:Sinc": law(lambda s: kx.Sinc(2.0 / s).gram(s * X[:, :1]), it=-1),
    "KERNELS:AllSubsets": law(lambda s: kx.AllSubsets().gram(s * ONE) / exactly(s, lambda xy: 1 + xy), it=0),
    "KERNELS:Polynomial, with a constant": law(
        lambda s: kx.Polynomial(1, 1.0).gram(s * ONE) / exactly(s, lambda xy: 1 + xy), it=0
    ),
    "KERNELS:Anova, of several degrees": law(
        lambda s: kx.Anova(1, (2.0, 1.0)).gram(s * ONE) / exactly(s, lambda xy: 2 + xy), it=0
    ),
    "KERNELS:Anova": law(lambda s: kx.Anova(1).gram(s * X), it=2),
    "KERNELS:Tanimoto": law(lambda s: kx.Tanimoto().gram(X > 0.0), it=0),  # bits have no unit
    "KERNELS:MinMax": law(lambda s: kx.MinMax().gram(s * ABOVE), it=0),
    "KERNELS:Matern": law(lambda s: kx.Matern(2.0 * s).gram(s * X), it=0),
    "KERNELS:RationalQuadratic": law(lambda s: kx.RationalQuadratic().gram(s * X), it=0),
    "KERNELS:Diffusion": law(lambda s: kx.Diffusion(1.0 / s, "unnormalized").gram(s * B), it=0),
    "KERNELS:Diffusion, normalised": law(lambda s: kx.Diffusion(2.0).gram(s * B), it=0),
    "KERNELS:Exponential": law(lambda s: kx.Exponential(0.3 / s).gram(s * B), it=0),
    "KERNELS:VonNeumann": law(lambda s: kx.VonNeumann().gram(s * B), it=0),
    "KERNELS:RegularizedLaplacian": law(lambda s: kx.RegularizedLaplacian(s).gram(s * B), it=-1),
    "KERNELS:LaplacianPseudoinverse": law(lambda s: kx.LaplacianPseudoinverse().gram(s * B), it=-1),
    "KERNELS:CommonNeighbours": law(lambda s: kx.CommonNeighbours().gram(s * B), it=2),
    "decompose_network": law(lambda s: kx.decompose_network(s * B, "adjacency"), eigenvalues=1),
    "decompose_network, normalised": law(lambda s: kx.decompose_network(s * B), eigenvalues=0),
    "chosen_columns": law(lambda s: kx.chosen_columns(kx.RegularizedLaplacian(s), s * B, [0, 3]), values=-1),
    "chosen_columns, diffusion": law(lambda s: kx.chosen_columns(kx.Diffusion(2.0), s * B, [0, 3]), values=0),
    "chosen_columns, von Neumann": law(lambda s: kx.chosen_columns(kx.VonNeumann(), s * B, [0, 3]), values=0),
    "chosen_columns, common neighbours": law(
        lambda s: kx.chosen_columns(kx.CommonNeighbours(), s * B, [0, 3]), values=2
    ),
    "Network": law(network, adjacency__data=1, n_edges=0),
    "network_layout": law(lambda s: kx.network_layout(network(s)), places=0),
    "prepare_network": law(lambda s: kx.prepare_network(network(s), "adjacency"), spectrum__eigenvalues=1),
    "preparing_network": law(lambda s: finished(kx.preparing_network(network(s))), spectrum__eigenvalues=0),
    "view_network": law(
        lambda s: kx.view_network(kx.prepare_network(network(s), "adjacency"), kx.VonNeumann()),
        column=0, nearest=0, bound=-1, eigenvalues=1,
    ),
    "diffusions_of": law(lambda s: [k.tau for k in kx.diffusions_of(kx.prepare_network(network(s)), (1.0,))], it=0),
    "sweeping_network": law(
        lambda s: [
            each.multi_class.mean
            for each in last(
                kx.sweeping_network(
                    kx.prepare_network(network(s)), [kx.Diffusion(1.0), kx.Diffusion(4.0)], LABELS,
                    kx.CrossValidation(folds=2, repeats=1),
                )
            ).judged
        ],
        it=0,
    ),
    "neighbour_network": law(
        lambda s: kx.neighbour_network(kx.Vectors(LABELS.ids, s * X), 3, weights="gaussian"), adjacency__data=0
    ),
    "Vectors": law(lambda s: kx.Vectors(LABELS.ids, s * X), X=1),
    "SparseVectors": law(lambda s: kx.SparseVectors(LABELS.ids, csr_array(s * X)), X__data=1, share=0),
    "SparseVectors, linear": law(lambda s: kx.Linear().gram(csr_array(s * X)), it=2),
    "SparseVectors, cosine": law(lambda s: kx.Cosine().gram(csr_array(s * X)), it=0),
    "SparseVectors, Gaussian": law(lambda s: kx.Gaussian().gram(csr_array(s * X)), it=0),
    "SparseVectors, its width": law(lambda s: kx.Gaussian().resolved(csr_array(s * X)), sigma=1),
    "without_columns": law(lambda s: kx.without_columns(kx.Vectors(LABELS.ids, s * X), [1]), X=1),
    "join_nodes": law(
        lambda s: kx.join_nodes(replace(network(1.0), labels=None), kx.Vectors(LABELS.ids, s * X)), network__attributes__X=1
    ),
    "Graph": law(lambda s: kx.Graph(N, node_attributes=s * X), node_attributes=1),
    "GraphSet": law(lambda s: kx.GraphSet.of([kx.Graph(N, node_attributes=s * X)]), node_attributes=1),
    "SubstitutionMatrix": law(lambda s: kx.SubstitutionMatrix("AC", ((s, -s), (-s, s))), array=1),
    "IMPUTATIONS:ColumnMean": law(lambda s: kx.ColumnMean().fit(s * _gaps()).apply(s * _gaps()), it=1),
    "IMPUTATIONS:NearestRows": law(lambda s: kx.NearestRows(3).fit(s * _gaps()).apply(s * _gaps()), it=1),
    "impute": law(lambda s: kx.impute(kx.Vectors(LABELS.ids, s * _gaps()), kx.NearestRows(3)), X=1),
    "imputed_similarities": law(
        lambda s: kx.imputed_similarities(kx.Gaussian(), kx.Vectors(LABELS.ids, s * _gaps())), values=0
    ),
    "kmer_weights": law(
        lambda s: kx.kmer_weights(kx.Spectrum(2), ["ACDAC", "DACCA"], s * np.array([1.0, -0.5])), weights=1
    ),
}  # fmt: skip


def _gaps():
    made = X.copy()
    made[[1, 5, 9], [0, 2, 3]] = np.nan
    return made
