"""Gene expression data whose file holds numbers only: names and classes are given to it here."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.defaults import Defaults
from kernex_core.inputs.samples import Labels, Vectors


def expression_data(
    name: str, X: FloatArray, first: str, classes: tuple[str, str], description: str
) -> DataSet:
    """Data set of samples s01, s02, ... by genes g0001, g0002, ..., with the protocol of the papers.

    Parameters
    ----------
    name : str
    X : (n, d) float
        NaN = unknown.
    first : str
        One digit a sample, "1" where it is of the first class.
    classes : (str, str)
    description : str
    """
    ids = tuple(f"s{number:02d}" for number in range(1, X.shape[0] + 1))
    genes = tuple(f"g{number:04d}" for number in range(1, X.shape[1] + 1))
    labels = np.array([classes[0] if flag == "1" else classes[1] for flag in first])
    return DataSet(
        name=name,
        ids=ids,
        labels=Labels(ids, labels),
        samples={"genes": Vectors(ids, X, genes)},
        description=description,
        defaults=Defaults(C=1e6, folds=10, repeats=10),
    )
