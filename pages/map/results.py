"""What the page Map gives away: coordinates, the LLE kernel, pictures, a script."""

from __future__ import annotations

from dataclasses import replace

from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.samples import Vectors
from kernex_core.studies.map.study import Placement, map_kernel
from pages.map.new_items import New
from pages.map.subject import Subject
from pages.shared.figures.maps.parts import Outlined
from pages.shared.figures.scatter import item_map
from pages.shared.panels.keep import Drawing, Keep, Offer, Result, keep_row


def results(subject: Subject, placement: Placement | None, new: New | None = None) -> None:
    """Draw the row of downloads; of LLE the kernel can be kept."""
    config, lle = subject.config, subject.config.method == "lle"
    title = f"{'LLE' if lle else 'kernel PCA'} of {subject.name.rsplit(',', 1)[0]}"
    result = Result(
        f"{title} k={config.n_neighbors}" if lle else title,
        kernel=(lambda: map_kernel(subject.source, config.n_neighbors, normalize=config.normalize)) if lle else None,
        table=Offer(
            lambda: rows(subject, placement), label="Coordinates as CSV",
            help="One row an item, and whether it was held out.",
            name=f"{title} coordinates",
        ),
        figure=Drawing(
            lambda: item_map(
                subject.drawn(placement)[:, :2],
                subject.items,
                outlined=Outlined(subject.held, "held out"),
            ),
            title=title,
            settings=vars(config),
        ),
        script=Offer(lambda: script(subject, new), help="Python that makes this map and its numbers again."),
    )  # fmt: skip
    keep = Keep(label="Keep the LLE kernel", help="Of all items, held-out ones too.") if lle else None
    keep_row(result, key="map", keep=keep)


def rows(subject: Subject, placement: Placement | None) -> list[dict[str, object]]:
    """Return one row an item."""
    labels = subject.labels
    shown, out = subject.drawn(placement), subject.held
    return [
        {
            "id": name,
            **({} if labels is None else {"class": labels.y[at]}),
            **{
                f"coordinate {axis}": float(value)
                for axis, value in zip(subject.axes, shown[at], strict=True)
            },
            "held_out": int(out[at]),
        }
        for at, name in enumerate(subject.dataset.ids)
    ]


def script(subject: Subject, new: New | None = None) -> str:
    """Script of the map, of the numbers that the page shows, and of the places of new items."""
    prepared = call("prepared", "prepare_map", subject.config, subject.source)
    view = call("view", "view_map", prepared, along=subject.along, axes=subject.axes)
    heading = (
        f"Kernex: map of {subject.name}\n"
        "Run it beside the folder kernex_core, with the uploaded files in the same place."
    )
    prints = [
        "'trustworthiness', $0.trust_all, 'of the kept items', $0.trust_kept",
        "'the map moves', $0.moved",
        "*(f'{each.title}: error {each.error}, Spearman {each.along}' for each in $0.placements), sep='\\n'",
        "$0.coordinates",
    ]
    if new is None:
        return write_script([view], heading=heading, prints=prints)
    known = (
        Vectors(new.brought.ids, new.brought.X)
        if isinstance(new.brought, Vectors)
        else replace(new.brought, notes=())
    )
    places = call("places", "place_new", prepared, view, known)
    return write_script([view, places], heading=heading, prints=[*prints, "$1.ids", "$1.ways", "$1.far"])
