"""Names that waiting files get, and that of the data set that they become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.dataset import AnySamples, DataSet
from kernex_core.inputs.names import short_name
from kernex_core.inputs.samples import Similarity
from kernex_core.inputs.upload import Upload
from pages.shared import workspace
from pages.shared.files.waiting import key_of
from pages.shared.messages import plain
from pages.shared.navigation import waiting_link

MOST_IN_A_ROW: Final = 4


def places_for(sources: Sequence[tuple[Upload, AnySamples]], base: DataSet | None) -> list[DeltaGenerator]:
    """Places for names, all of one width, rows of at most four: one a source, the last for a new data set."""
    count = len(sources) + (base is None)
    width = max(2, min(count, MOST_IN_A_ROW))
    return [place for _ in range(0, count, width) for place in st.columns(width)][:count]


def parts_of(
    sources: Sequence[tuple[Upload, AnySamples]], base: DataSet | None, places: Sequence[DeltaGenerator]
) -> dict[str, AnySamples]:
    """Sources under the names that they get; the same name twice is numbered."""
    parts: dict[str, AnySamples] = {}
    names = _suggested([file for file, _ in sources])
    for column, (file, result) in zip(places, sources, strict=False):
        many = (result, *result.others) if isinstance(result, Similarity) and result.others else ()
        suggestion = names[file.digest]
        what = f"{len(many)} kernels" if many else "kernel" if result.kind == "similarity" else result.kind
        typed = column.text_input(
            f"Name for the {what} in {plain(file.filename)}", suggestion, key=f"{key_of(file)}.name",
            persist_state="session", max_chars=60,
        )  # fmt: skip
        wanted = " ".join(typed.split()) or suggestion
        for place, part in enumerate(many or (result,), start=1):
            name = _free(f"{wanted} {place}" if many else wanted, parts)
            if base is not None and name in {**base.samples, **base.kernels}:
                column.caption(
                    f":orange[:material/warning:] It replaces {plain(name)} of {plain(base.name)}."
                )
            parts[name] = part
    return parts


def name_of(sources: Sequence[tuple[Upload, AnySamples]], places: Sequence[DeltaGenerator]) -> str:
    """The name of a new data set, as it is typed."""
    link = waiting_link()
    if link is not None and link.data not in workspace.datasets():
        suggestion = link.data  # so that the settings of the address find them
    else:
        suggestion = short_name(sources[0][0].filename) if sources else "data"
    typed = places[-1].text_input(
        "Name of the data set", suggestion, key=f"data.name.{suggestion}", max_chars=60
    )
    return " ".join(typed.split()) or suggestion


def _free(wanted: str, taken: Mapping[str, AnySamples]) -> str:
    """A name that nothing has yet: the same one again is numbered."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} ({number})", number + 1
    return name


def _suggested(files: Sequence[Upload]) -> dict[str, str]:
    """Short names, by the files' digests; where two are the same, both stay as the files are called."""
    short = [short_name(file.filename) for file in files]
    return {
        file.digest: name if short.count(name) == 1 else file.filename
        for file, name in zip(files, short, strict=True)
    }
