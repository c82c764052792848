"""What the page Map shows."""

from __future__ import annotations

import numpy as np

from kernex_core.studies.map.study import MapView, PreparedMap, map_kernel
from tests.pages.named.compared import Arrays, Named, Rows, near


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
        )
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
