"""Data sets whose parts know how they can be made again."""

from __future__ import annotations

from dataclasses import replace

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, part
from kernex_core.inputs.dataset import DataSet


def recorded(data: DataSet, origin: Call) -> DataSet:
    """Give labels, samples and kernels the call of "that part of the data set made by `origin`".

    Parameters
    ----------
    data : DataSet
    origin : Call
        How the whole data set is made.
    """

    samples = {
        name: replace(value, recipe=part(origin, "samples", name)) for name, value in data.samples.items()
    }
    kernels = {
        name: GramMatrix(K.values, K.ids, K.name, part(origin, "kernels", name), K.has_seen())
        for name, K in data.kernels.items()
    }
    networks = {
        name: replace(value, recipe=part(origin, "feature_networks", name))
        for name, value in data.feature_networks.items()
    }
    labels = data.labels and replace(data.labels, recipe=part(origin, "labels"))
    return replace(data, samples=samples, kernels=kernels, labels=labels, feature_networks=networks)
