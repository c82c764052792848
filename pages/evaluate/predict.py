"""The page Predict on one screen: model and new items, the verdict, the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.new_items import KnownVectors, NewRows
from kernex_core.inputs.samples import Sequences
from kernex_core.inputs.upload import Upload
from kernex_core.studies.model.model import Items, Judged, Model, Predicted, model_of
from kernex_core.workspace.archive import WORKSPACE_LIMIT
from pages.server.cached import cached
from pages.server.digits import in_table, number, percent, span
from pages.server.messages import findings, guard, plain
from pages.server.navigation import page_at
from pages.server.readers import tasks
from pages.server.visitors import limits
from pages.ui import shown as registry
from pages.ui.answer import VerdictPlace, first_row
from pages.ui.files import check_file_size, made_apart, read_apart, upload
from pages.ui.frame import open_page, panel_title
from pages.ui.panels.keep import Offer, Result, keep_row

KEY: Final = "predict"
PREDICTED, UNLIKE, JUDGED = "Predicted", "Unlike the training items", "Judged"
HEIGHT: Final = 250
RULE: Final = (
    "Unlike: further from every training item than any of these is from its nearest, by the kernel's distance. "
    "What a model says of such an item rests on nothing that it was trained on."
)


@cached
def predicted(model: Model, items: Items | NewRows) -> Predicted:
    """What the model says."""
    return model.predict(items)


def show() -> None:
    """Draw the page."""
    with first_row():
        left, right = st.container(width="stretch"), st.container(width="stretch")
    with left:
        model_file = upload("Model (.kernex)", key=f"{KEY}.model", types=["kernex"])
    model = None if model_file is None else _model(model_file)
    with right:
        items_file = upload(f"New items: {_taken(model)}", key=f"{KEY}.items")
    place = VerdictPlace(PREDICTED, UNLIKE, JUDGED)
    if model is None or items_file is None:
        _empty(place, model)
        return
    check_file_size(items_file)
    items = _items(model, items_file)
    found = predicted(model, items)
    _fill(place, found, model.judged)
    _table(found, model)
    findings(items.notes)
    keep_row(
        Result(
            "predictions",
            table=Offer(found.table, help="Classes or numbers with decision values and distances."),
        ),
        key=KEY,
    )


def _taken(model: Model | None) -> str:
    """What the box of new items is for."""
    if model is None:
        return "sequences, vectors, graphs, or rows of similarities"
    if model.samples is None:
        return "rows of similarities to the training items"
    return model.takes


def _model(file: Upload) -> Model:
    check_file_size(file)
    limit = min(WORKSPACE_LIMIT, limits.workspace_bytes())
    return made_apart(_made, tasks.model_file_parts, file, limit)


def _made(parts: Mapping[str, NDArray[np.uint8]]) -> Model:
    return model_of({name: part.data for name, part in parts.items()})


def _items(model: Model, file: Upload) -> Items | NewRows:
    """New items of a file, read in another process as on the other pages."""
    known = model.samples
    if known is None:
        base = model.gram.base
        rows = read_apart(tasks.new_rows, file, base.ids, base.values.diagonal(), None)
        assert isinstance(rows, NewRows)  # no vectors are known
        return rows
    if isinstance(known, Sequences):
        return read_apart(tasks.new_sequences, file, known.ids, known.alphabet)
    if known.kind == "vectors":
        return read_apart(tasks.new_vectors, file, KnownVectors.of(known))  # type: ignore[arg-type]
    return read_apart(tasks.new_graphs, file)


def _empty(place: VerdictPlace, model: Model | None) -> None:
    if model is not None:
        place.say(f"{_about(model)} Bring new items: {_taken(model)}.")
        _say_judged(place, model.judged)
        return
    place.say(
        "Judge kernels on the page Evaluate, *Save model* there, and bring the file here: it predicts new items anywhere."
    )
    st.page_link(page_at("evaluate"), label="Evaluate", icon=":material/rule:")
    st.caption(
        "The file holds kernel, steps, learner and the training items: whoever has it can read these. Nothing in it is run, "
        "and a file of which a byte was changed is refused. In a script: *load_model(data).predict(items)*; at the command "
        "line: *kernex predict model.kernex new.fasta > out.csv*."
    )


def _about(model: Model) -> str:
    learned = f"{len(model.classes)} classes" if model.classes else "numbers"
    return (
        f"{plain(model.gram.name)}, {model.learner.title.lower()}, {learned} learned from "
        f"{counted(model.gram.n, 'training item')}."
    )


def _fill(place: VerdictPlace, found: Predicted, judged: Judged) -> None:
    odd = [name for name, unlike in zip(found.ids, found.unlike, strict=True) if unlike]
    if found.classes:
        most = Counter(found.labels).most_common(3)
        said = ", ".join(f"{count:,} {plain(name)}" for name, count in most)
        said += " and others" if len(set(found.labels)) > len(most) else ""
    else:
        said = f"numbers from {number(float(found.numbers.min()))} to {number(float(found.numbers.max()))}"
    unlike = (
        f"{counted(len(odd), 'item')} unlike the training items: {plain(listed(odd))}"
        if odd
        else "none is unlike the training items"
    )
    place.say(f"**{counted(len(found.ids), 'new item')}: {said}**; {unlike}.")
    place.number(0, PREDICTED, f"{len(found.ids):,}", "new items", "Items of the file that was brought.")
    place.number(1, UNLIKE, f"{len(odd):,}", f"of {len(found.ids):,}", RULE)
    _say_judged(place, judged)


def _say_judged(place: VerdictPlace, judged: Judged) -> None:
    share = "accuracy" in judged.measure
    value, floor = (percent(each, 1) if share else number(each) for each in (judged.value, judged.floor))
    ends = span(judged.low, judged.high) if share else f"{number(judged.low)}–{number(judged.high)}"
    place.number(
        2, JUDGED, value, ends,
        f"{judged.measure.capitalize()} of what was saved, on folds: {_protocol(judged)}; floor {floor}. "
        "In grey 95\u00a0%, other data sets of this size.",
    )  # fmt: skip


def _protocol(judged: Judged) -> str:
    how = judged.validation
    folds = f"in {how.folds} folds" if how.folds else "leaving each out"
    chose = ", strength chosen inside them" if how.choose_C else ""
    return f"{judged.rests_on} {folds}{chose}; {judged.state}"


def _table(found: Predicted, model: Model) -> None:
    panel_title("New items", "items unlike the training items first")
    order = np.argsort(~found.unlike, kind="stable")
    rows: dict[str, object] = {"id": [found.ids[k] for k in order]}
    if found.classes:
        ranked = np.sort(found.decisions, axis=1)
        rows["predicted class"] = [found.labels[k] for k in order]
        rows["margin"] = (ranked[:, -1] - ranked[:, -2])[order]
        if found.probabilities.size:
            rows["probability"] = found.probabilities.max(axis=1)[order]
    else:
        rows["predicted number"] = found.numbers[order]
        if found.half.size:
            rows["± 90\u00a0%"] = found.half[order]
    rows |= {
        "nearest training item": [found.nearest[k] for k in order], "distance": found.distance[order],
        "unlike": ["unlike" if found.unlike[k] else "" for k in order],
    }  # fmt: skip
    frame = pd.DataFrame(rows)
    registry.list_rows(KEY, frame, "New items", model.gram.name)
    st.dataframe(in_table(frame), hide_index=True, width="stretch", height=min(HEIGHT, 38 + 35 * len(frame)))
    st.caption(
        f"{_about(model)} Judged: {_protocol(model.judged)}. A training item is up to {number(found.usual)} from its "
        "nearest other one; what is further from all of them is unlike."
    )


def run() -> None:
    """Draw the page in its frame."""
    open_page("Predict", "What does a saved model say of items that it has never seen?", shows_data=False)
    with guard():
        show()
