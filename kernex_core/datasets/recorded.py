"""Data sets whose parts know how they can be made again."""

from __future__ import annotations

from dataclasses import replace

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Recipe
from kernex_core.inputs.dataset import DataSet


def recorded(data: DataSet, origin: Recipe) -> DataSet:
    """Give labels, samples and kernels the recipe "that part of the data set made by `origin`".

    Parameters
    ----------
    data : DataSet
    origin : Recipe
        How the whole data set is made.
    """

    def part(name: str, expression: str) -> Recipe:
        return Recipe(name, f"$0.{expression}", (origin,))

    samples = {
        name: replace(value, recipe=part(name, f"samples[{name!r}]")) for name, value in data.samples.items()
    }
    kernels = {
        name: GramMatrix(K.values, K.ids, K.name, part(name, f"kernels[{name!r}]"), K.has_seen())
        for name, K in data.kernels.items()
    }
    networks = {
        name: replace(value, recipe=part(name, f"feature_networks[{name!r}]"))
        for name, value in data.feature_networks.items()
    }
    labels = data.labels and replace(data.labels, recipe=part("labels", "labels"))
    return replace(data, samples=samples, kernels=kernels, labels=labels, feature_networks=networks)
