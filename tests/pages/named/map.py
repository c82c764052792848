"""What the page Map and its parts show."""

from __future__ import annotations

import dataclasses

import numpy as np

from kernex_core.studies.map.groups import Groups, PreparedGroups, Stability, group_names
from kernex_core.studies.map.outliers import Outliers
from kernex_core.studies.map.study import MapView, PreparedMap, kept_by_maps, map_kernel
from tests.pages.named.compared import Arrays, Matrix, Named, Rows, near


def view(seen):
    return seen.result(MapView)


def laid_out(of):
    """Points of a map, each class a trace."""

    def compare(seen, picture):
        drawn = 0
        for trace in picture.figure.data:
            at = np.flatnonzero(seen.dataset.labels.y == trace.name)
            near(np.column_stack([trace.x, trace.y]), of(seen)[at], trace.name)
            drawn += at.size
        assert drawn == seen.dataset.n

    return compare


def rms(A, B):
    return float(np.sqrt(((A - B) ** 2).sum(axis=1).mean()))


def radius(seen):
    return rms(kept(seen), kept(seen).mean(axis=0))


def kept(seen, of="coordinates"):
    return np.delete(getattr(view(seen), of), view(seen).held, axis=0)


def error(seen, way=0):
    held = view(seen).held
    return 100 * rms(view(seen).placements[way].coordinates, view(seen).whole[held]) / radius(seen)


def ways(seen):
    return [(seen, place) for place in range(len(view(seen).placements))]


def apart(row):
    seen, place = row
    first, one = (view(seen).placements[at].coordinates for at in (0, place))
    return 100 * rms(one, first) / radius(seen)


def lle_kernel(seen):
    config = seen.result(PreparedMap).config
    return map_kernel(seen.dataset.kernels["good"], config.n_neighbors, normalize=config.normalize).values


MAP = Named(
    tables={
        r"^map\.ways$": Rows(
            ways,
            {
                "placed$": lambda row: view(row[0]).placements[row[1]].title,
                "^error": lambda row: error(*row),
                "^from the first": apart,
            },
        ),
        r"^map\.kept$": Rows(
            lambda seen: kept_by_maps(
                dataclasses.replace(seen.result(PreparedMap).config, method="lle", share=0.0), seen.dataset.kernels["good"]
            ),
            {
                "^map$": lambda one: one.title,
                "^trustworthiness$": lambda one: one.trust,
                "^continuity$": lambda one: one.continuity,
                "^stress$": lambda one: one.stress,
                "^new items$": lambda one: one.places or "no place",
            },
        ),
    },
    files={
        "^NPZ$": Arrays({"K": lle_kernel}),
        "^Coordinates as CSV$": Rows(
            lambda seen: [(seen, at) for at in range(seen.dataset.n)],
            {
                "^id$": lambda row: row[0].dataset.ids[row[1]],
                "^class$": lambda row: row[0].dataset.labels.y[row[1]],
                "^coordinate 1$": lambda row: view(row[0]).coordinates[row[1], 0],
                "^coordinate 2$": lambda row: view(row[0]).coordinates[row[1], 1],
                "^held_out$": lambda row: int(row[1] in view(row[0]).held),
            },
        ),
    },
    pictures={
        r"^map\.placed$": laid_out(lambda seen: view(seen).coordinates),
        r"^map\.whole$": laid_out(lambda seen: view(seen).whole),
    },
    counts={
        "^Trustworthiness$": lambda seen: (view(seen).trust_all, [view(seen).trust_kept]),
        "^Error$": lambda seen: (
            error(seen), [100 * rms(kept(seen), kept(seen, "whole")) / radius(seen)]
        ),
    },
)  # fmt: skip


def groups(seen):
    return seen.result(Groups)


def of_groups(seen, picture):
    """Points of the map of groups, each group a trace."""
    names, drawn = group_names(groups(seen).groups), 0
    for trace in picture.figure.data:
        at = np.flatnonzero(names == trace.name)
        near(np.column_stack([trace.x, trace.y]), view(seen).coordinates[at], trace.name)
        drawn += at.size
    assert drawn == seen.dataset.n


def inside(row):
    seen, group = row
    return groups(seen).groups == group


def most_frequent(row):
    y = row[0].dataset.labels.y[inside(row)].tolist()
    names = sorted(set(y), key=lambda name: (-y.count(name), y.index(name)))
    return ", ".join(f"{name} ({y.count(name)})" for name in names[:3])


def sorted_kernel(seen):
    """In the order of the data: the matrix is seen as it was given."""
    return seen.result(PreparedGroups).K


GROUPS = Named(
    tables={
        r"^groups\.groups$": Rows(
            lambda seen: [(seen, group) for group in range(1, groups(seen).number + 1)],
            {
                "^group$": lambda row: f"group {row[1]}",
                "^items$": lambda row: int(inside(row).sum()),
                "^silhouette$": lambda row: float(groups(row[0]).silhouette[inside(row)].mean()),
                "^nearer": lambda row: int((groups(row[0]).silhouette[inside(row)] < 0).sum()),
                "^most frequent": most_frequent,
            },
        )
    },
    files={
        "^Groups as CSV$": Rows(
            lambda seen: [(seen, at) for at in range(seen.dataset.n)],
            {
                "^id$": lambda row: row[0].dataset.ids[row[1]],
                "^class$": lambda row: row[0].dataset.labels.y[row[1]],
                "^group$": lambda row: f"group {groups(row[0]).groups[row[1]]}",
                "^silhouette$": lambda row: groups(row[0]).silhouette[row[1]],
                "^nearest other": lambda row: f"group {groups(row[0]).other[row[1]]}",
                "^across$": lambda row: view(row[0]).coordinates[row[1], 0],
                "^up$": lambda row: view(row[0]).coordinates[row[1], 1],
            },
        )
    },
    pictures={r"^groups\.matrix": Matrix(sorted_kernel, "Similarity"), r"^groups\.map$": of_groups},
    counts={
        "^Silhouette$": lambda seen: (groups(seen).silhouette.mean(), [groups(seen).misplaced, 0]),
        "^Stability$": lambda seen: (
            seen.result(Stability).mean, [seen.result(Stability).values.min(), seen.result(Stability).values.max()]
        ),
        "^Rand index$": lambda seen: (groups(seen).against_labels, [groups(seen).labelled]),
    },
)  # fmt: skip


def odd(seen):
    return seen.result(Outliers)


def nearest(row):
    seen, at = row
    near_ones = odd(seen).near[at, :3]
    return ", ".join(f"{seen.dataset.ids[k]} ({seen.dataset.labels.y[k]})" for k in near_ones)


OUTLIERS = Named(
    files={
        "^Items as CSV$": Rows(
            lambda seen: [(seen, at) for at in range(seen.dataset.n)],
            {
                "^id$": lambda row: row[0].dataset.ids[row[1]],
                "^class$": lambda row: row[0].dataset.labels.y[row[1]],
                "^how far$": lambda row: odd(row[0]).far[row[1]],
                "^outside$": lambda row: "yes" if odd(row[0]).is_outside[row[1]] else "",
                "^nearest$": nearest,
            },
        )
    },
    pictures={r"^outliers\.map$": laid_out(lambda seen: view(seen).coordinates)},
    counts={
        "^Farthest$": lambda seen: (odd(seen).far.max(), [1]),
        "^Outside$": lambda seen: (int(odd(seen).is_outside.sum()), [5]),
    },
)  # fmt: skip
