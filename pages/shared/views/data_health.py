"""The health report of every part of the data set, and its classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from kernex_core.inputs.class_notes import class_notes
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.health import HealthReport, health
from kernex_core.inputs.samples import Labels, Note
from pages.shared.cached import cached
from pages.shared.figures.theme import count
from pages.shared.frame import panel_title
from pages.shared.messages import findings, plain

MOST_ROWS = 12
ROW_HEIGHT = 36


def report(data: DataSet) -> None:
    """Write the findings, one block a part; a table of classes stands beside it."""
    st.subheader("Health report", anchor=False)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _notes("As they were read", data.notes)
        for name, part in {**data.samples, **data.kernels}.items():
            _part(name, checked(part, name))
        if data.samples and not data.kernels:
            st.markdown("There is no kernel yet: build one from these " + _kinds(data) + ".")
            st.page_link(
                "kernels/kernels.py", label="Build one on the page Kernels", icon=":material/grid_on:"
            )
    with right:
        _classes(data.labels, data)


@cached
def checked(part: Any, name: str) -> HealthReport:
    """Return the findings about one part."""
    return health(part, title=name)


def _part(name: str, found: HealthReport) -> None:
    known = "" if found.n_known == found.n else f", {found.n_known:,} of them with all pairs known"
    panel_title(plain(name), count(found.n, "item") + known)
    # what was odd when a file was read stands above, once
    findings(found.notes)


def _notes(title: str, notes: tuple[Note, ...]) -> None:
    if notes:
        panel_title(title)
        findings(notes)


def _kinds(data: DataSet) -> str:
    return " and ".join(dict.fromkeys(part.kind for part in data.samples.values()))


def _classes(labels: Labels | None, data: DataSet) -> None:
    if labels is None:
        panel_title("Classes")
        st.caption(
            "There are no labels: the data can be looked at and completed, but not judged. Bring a file of labels above."
        )
        return
    panel_title("Classes", f"{len(labels.classes):,}, largest first")
    rows = _table(labels, {name: K.known for name, K in data.kernels.items() if not K.unknown.complete})
    height: Any = "content" if len(rows) <= MOST_ROWS else MOST_ROWS * ROW_HEIGHT
    st.table(rows, border="horizontal", hide_index=True, height=height)
    findings(class_notes(labels))


def _table(labels: Labels, known: Mapping[str, Any]) -> list[dict[str, str]]:
    """Rows of the table of classes: size, and how many are known in every partly unknown kernel."""
    total = sum(size for _, size in labels.classes)
    rows = []
    for name, size in labels.classes:
        inside = labels.y == name
        row = {"Class": plain(name), "Items": f"{size:,}", "Share": f"{100 * size / total:.1f} %"}
        row |= {f"Known in {plain(kernel)}": f"{int(mask[inside].sum()):,}" for kernel, mask in known.items()}
        rows.append(row)
    return rows
