"""One waiting file: how it is read, with the guess to begin with, and what was read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import KernexError, TooLargeError
from kernex_core.base.parameters import parameters
from kernex_core.base.validation import ITEM_LIMIT, memory_bytes, shown_bytes
from kernex_core.inputs.catalogue import LABELS, format_named
from kernex_core.inputs.dataset import AnySamples, DataSet
from kernex_core.inputs.example import example_of, is_distance
from kernex_core.inputs.format import SURE, Suggestion
from kernex_core.inputs.formats.sequence_files import FastaOptions
from kernex_core.inputs.graphs.graph_set import GraphSet, described
from kernex_core.inputs.items.join import join_labels
from kernex_core.inputs.items.label_columns import LabelOptions
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.names import counted, short_name
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.options import Answer, Question, ReadOptions, SimilarityOptions
from kernex_core.inputs.samples import Labels, Sequences, Similarity, SparseVectors
from kernex_core.inputs.sequences.records import PRESETS
from kernex_core.inputs.similarities.distance import CONVERSIONS
from kernex_core.inputs.similarities.pairs import PairOptions, PairPart
from kernex_core.inputs.upload import Upload
from kernex_core.learning.regression.judgement import kinds_counted
from pages.server import workspace
from pages.server.cached import cached
from pages.server.item_limit import item_limit, needed
from pages.server.messages import findings, guard, plain, show_error
from pages.server.navigation import waiting_link
from pages.server.readers.tasks import pair_parts
from pages.server.visitors.contents import free_name
from pages.ui.figures.heatmap import thumbnail
from pages.ui.files import (
    Outcome,
    asked,
    items_for,
    key_of,
    outcome,
    put_away,
    read_apart,
    start,
    waiting,
    ways,
)
from pages.ui.widget import Change, controls

# What a file is taken for, by one number of it: what it settles can be taken back, and what it leaves open is asked.

NAMES: Final[Mapping[str, Change]] = {
    "conversion": {"names": tuple(formula for formula, _ in CONVERSIONS.values())},
    "scale": {"names": ("auto", "as it is", "−log10")},
    "diagonal": {"names": ("found out", "as listed", "the largest of its row", "1", "unknown")},
    "missing_diagonal": {"names": ("found out", "0", "the largest of its row", "unknown")},
    "symmetrise": {"names": ("found out", "mean", "max", "refuse")},
    "ids": {"names": ("found out", "on both sides", "on top", "on the left", "nowhere")},
}


def sentence(file: Upload, made: Outcome) -> str:
    """What a file is taken for, by one number of it and by what settles its meaning, as markdown; "" if there is nothing."""
    assert made.result is not None
    example = example_of(made.result, _column(file, made), made.questions)
    # of what settles it, what the example does not say already
    reasons = [each.text.split(": ")[0] for each in made.questions if each.decided]
    said = ". ".join(plain(each) for each in (example, *reasons) if each)
    return f":small[:gray[{said}.]]" if said else ""


def ways_back(file: Upload, made: Outcome) -> None:
    """Draw a button for what a name, a tool, a diagonal or an answer settled, where anything did."""
    assert made.options is not None
    settled = [each for each in made.questions if each.decided]
    if not settled and not answers_of(file, made.way):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for question in settled:
            now = getattr(made.options, question.option)
            for other in question.answers:
                if other.value != now:
                    _button(file, made, question, other.value, f"No: {other.effect}", "tertiary")
        for option, value in answers_of(file, made.way).items():
            if option not in [each.option for each in settled]:
                field = parameters(made.options)[option]
                names = dict(
                    zip(
                        field.choices or (),
                        NAMES.get(option, {}).get("names", field.names or ()),
                        strict=False,
                    )
                )
                st.button(
                    plain(f"{field.label}: {names.get(value, value) or 'none'}. Ask again"), type="tertiary",
                    key=f"{key_of(file)}.{option}.again", on_click=_forget, args=(key_of(file), made.way, option),
                )  # fmt: skip


def is_open(made: Outcome) -> bool:
    """Whether a file waits for an answer."""
    return made.result is None and not all(each.decided for each in made.questions)


def ask(file: Upload, made: Outcome) -> bool:
    """Ask what a file leaves open, with the effect of each answer on an example of it; whether anything is open."""
    question = next((each for each in made.questions if not each.decided), None)
    if question is None:
        return False
    st.markdown(f":orange[:material/help:] **{plain(question.text)}.** {plain(question.example)}")
    with st.container(horizontal=True, gap="small"):
        for each in question.answers:
            _button(file, made, question, each.value, _words(question, each), "secondary")
        other = question.instead
        way = "" if other is None else next(iter(_ways_of(file, other.value)), "")
        if other is not None and way:
            st.button(
                plain(other.effect), key=f"{key_of(file)}.instead.{other.value}",
                on_click=workspace.show_in, args=(way_key(file), way),
            )  # fmt: skip
    return True


def way_key(file: Upload) -> str:
    """Key of the choice of the format that a file is read in."""
    return f"{key_of(file)}.way"


def _ways_of(file: Upload, kind: str) -> list[str]:
    """Formats of a kind that a file may have, likeliest first."""
    return [way.format.name for way in ways(file) if way.format.kind == kind and way.confidence > 0.0]


def _words(question: Question, answer: Answer) -> str:
    """The effect of an answer; names of columns and attributes before it."""
    named = question.option.endswith(("_column", "_attribute")) and answer.value
    return f"{answer.value}: {answer.effect}" if named else answer.effect


def _button(
    file: Upload,
    made: Outcome,
    question: Question,
    value: str,
    label: str,
    kind: Literal["secondary", "tertiary"],
) -> None:
    st.button(
        plain(label), type=kind, key=f"{key_of(file)}.{question.option}.is.{value}",
        on_click=_answer, args=(key_of(file), made.way, question.option, value),
    )  # fmt: skip


def _column(file: Upload, made: Outcome) -> str:
    """Name of the column that the numbers come from, where there are columns."""
    if getattr(made.options, "weights", "") == "ignore":
        return ""
    for field in ("score_column", "weight_column", "label_column"):
        if name := getattr(made.options, field, ""):
            return str(name)
    beginning = start(file, made.way)
    return "" if beginning is None else beginning.column


def answers_of(file: Upload, way: str) -> Mapping[str, str]:
    """What was answered about a file that is read in this way, by option."""
    return _answers(key_of(file), way)


def _answers(key: str, way: str) -> Mapping[str, str]:
    nothing: Mapping[str, str] = {}
    return workspace.recall(f"{key}.{way}.answers", nothing)


def _answer(key: str, way: str, option: str, value: str) -> None:
    workspace.remember(f"{key}.{way}.answers", {**_answers(key, way), option: value})


def _forget(key: str, way: str, option: str) -> None:
    left = {name: value for name, value in _answers(key, way).items() if name != option}
    workspace.remember(f"{key}.{way}.answers", left)


# The part of a table of pairs that a matrix is made of: chosen before, where there are more items than fit.

TITLES: Final[Mapping[str, str]] = {
    "connected": "The largest connected part",
    "densest": "The items with most known pairs",
    "neighbours": "One item and its neighbours",
    "labelled": "Items with a label",
    "random": "At random, or by class",
}


def chosen_part(file: Upload, way: str, options: ReadOptions, made: Outcome) -> ReadOptions:
    """Draw the choice of a part where a table of pairs has more items than a matrix may have; options with that part."""
    if not isinstance(options, PairOptions) or not isinstance(made.error, TooLargeError):
        return options
    score, key = str(getattr(options, "score_column", "")), f"{key_of(file)}.{way}.part"
    found = read_apart(pair_parts, file, score, item_limit(), (), "", 0)
    if len(found.ids) <= options.limit:
        return options
    labels = _labels(found.ids)
    labelled = () if labels is None else tuple(i for i, y in zip(labels.ids, labels.y, strict=True) if y)
    st.markdown(f"**{len(found.ids):,} items: choose a part before the matrix is made**")
    query = str(workspace.widget_says(f"{key}.query") or "")
    if labelled or query:
        found = read_apart(pair_parts, file, score, item_limit(), labelled, query, 0)
    parts: dict[str, PairPart | None] = {part.way: part for part in found.parts}
    offered = [each for each in TITLES if each in parts or each == "neighbours"]
    chosen = st.radio(
        "Part", offered, format_func=lambda each: _described(each, parts.get(each)), key=f"{key}.by",
        persist_state="session", help="Each with how much of it is known: what a matrix is worth rests on that.",
    )  # fmt: skip
    if chosen == "neighbours":
        st.selectbox(
            "Item", found.ids, index=None, key=f"{key}.query", persist_state="session",
            help="Those that it has the largest known scores with are kept beside it.",
        )  # fmt: skip
    if chosen != "random":
        part = parts.get(chosen)
        return options if part is None else dataclasses.replace(options, part_ids=part.ids)
    fits = Selection(size=item_limit())
    spec = _spec(fits, labels, key)
    size = spec.size if spec.size is not None else len(found.ids)
    st.caption(f"A matrix of {min(size, len(found.ids)):,} items: {needed(min(size, len(found.ids)))}.")
    if not spec.by_label:
        return dataclasses.replace(options, part_size=spec.size, part_seed=spec.seed)
    kept = spec.apply(found.ids, labels)
    return dataclasses.replace(options, part_ids=tuple(found.ids[int(k)] for k in kept))


def _described(way: str, part: PairPart | None) -> str:
    if part is None:
        return TITLES[way]
    of = "" if part.whole else ", the densest of them"
    share = 100.0 * part.known
    return f"{TITLES[way]}: {counted(len(part.ids), 'item')}{of}, {share:.3g} % of their pairs known"


def _spec(fits: Selection, labels: Labels | None, key: str) -> Selection:
    """Size and seed; with labels also classes, and a draw that keeps the share of each."""
    if labels is None:
        st.caption("Bring a file of labels, too, to choose by class.")
        return controls(fits, key, only=["size", "seed"], slots=st.columns(2), kept=False)
    sizes = dict(labels.classes)
    classes = st.multiselect(
        "Classes", list(sizes), format_func=lambda name: f"{name} ({sizes[name]:,})", key=f"{key}.classes",
        persist_state="session", placeholder="all", help="Classes that are kept, with their sizes.",
    )  # fmt: skip
    fits = dataclasses.replace(fits, classes=tuple(classes) or None)
    slots = st.columns(3, vertical_alignment="bottom")
    return controls(fits, key, only=["size", "seed", "stratified"], slots=slots, kept=False)


def _labels(ids: tuple[str, ...]) -> Labels | None:
    """Labels of the items from another file that waits, else from the data set that is open."""
    for file in reversed(waiting()):
        found = ways(file)
        beginning = start(file, LABELS) if found and found[0].format.name == LABELS else None
        if beginning is not None:
            made = asked(file, LABELS, beginning.options).result
            if isinstance(made, Labels) and (joined := _joined(ids, made)) is not None:
                return joined
    data = workspace.current()
    own = data.labels if isinstance(data, DataSet) else None
    return None if own is None else _joined(ids, own)


@cached
def _joined(ids: tuple[str, ...], labels: Labels) -> Labels | None:
    try:
        return join_labels(ids, labels).labels
    except KernexError:
        return None


# Names that waiting files get, and that of the data set that they become.

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
            name = free_name(f"{wanted} {place}" if many else wanted, parts)
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


def _suggested(files: Sequence[Upload]) -> dict[str, str]:
    """Short names, by the files' digests; where two are the same, both stay as the files are called."""
    short = [short_name(file.filename) for file in files]
    return {
        file.digest: name if short.count(name) == 1 else file.filename
        for file, name in zip(files, short, strict=True)
    }


BLANK: Final[Mapping[str, str]] = {
    **dict.fromkeys(("score_column", "key", "node_label", "edge_label"), "found out"),
    **dict.fromkeys(("sheet", "dataset"), "the first"),
}
"""What the blank choice of a field is called, where it is not none."""
OWN, NO_CLASS = "Own pattern", "None"


def waiting_file(file: Upload) -> Outcome:
    """Draw a file and what it is taken for, as a sentence to confirm; all that may be chosen is behind a button."""
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            said = st.container(width="stretch")
            lid = (
                st.popover("How it is read", icon=":material/tune:", type="tertiary")
                if _is_sure(file)
                else None
            )
            st.button(
                "Put away", key=f"{key_of(file)}.away", type="tertiary", icon=":material/close:",
                on_click=put_away, args=(file.digest,),  # Streamlit keeps what a button takes, also when it is gone
            )  # fmt: skip
        name = f"**{plain(file.filename)}** :small[:gray[{shown_bytes(len(file.packed))}]]"
        if lid is not None:
            with lid, st.container(width=560):
                made = _read(file)
                notes = () if made.result is None else made.result.notes
                if made.error is None:  # it is said on the page, and not behind the button
                    _preview(file, made)
                    findings(note for note in notes if note.severity == "fine")
            if made.error is None and made.result is not None:
                said.markdown(f"{name} · {_kind(made.result)}  \n{sentence(file, made)}")
                ways_back(file, made)
                findings(note for note in notes if note.severity != "fine")
                return made
            said.markdown(name)  # nothing came of it yet
            if made.error is not None and not ask(file, made):
                show_error(made.error)
        else:
            said.markdown(name)
            left, right = st.columns([10, 11], gap="medium")
            with left:
                made = _read(file)
            with right:
                _preview(file, made)
                findings(() if made.result is None else made.result.notes)
    return made


def _is_sure(file: Upload) -> bool:
    found = ways(file)
    return bool(found) and found[0].confidence >= SURE


def _read(file: Upload) -> Outcome:
    found = ways(file)
    if not found:  # not even unpacked: there is nothing to choose
        return outcome(file, "", ReadOptions())
    sure = found[0].confidence >= SURE
    titles = {way.format.name: way.format.title for way in found}
    way = st.selectbox(
        "Read as",
        list(titles),
        index=0 if sure else None,
        format_func=titles.__getitem__,
        key=way_key(file),
        persist_state="session",
        placeholder="Nothing fits: choose",
        help=f"Guess: {titles[found[0].format.name]}."
        if sure
        else "By its content it is nothing that Kernex reads.",
    )
    if way is None:
        return outcome(file, "", ReadOptions())
    beginning = start(file, way, items_for(file) if way == LABELS else ())
    if beginning is None:
        return outcome(file, way, format_named(way).options())
    with guard():
        if isinstance(beginning.options, SimilarityOptions) and item_limit() != ITEM_LIMIT:
            limited = dataclasses.replace(beginning.options, limit=item_limit())
            beginning = dataclasses.replace(beginning, options=limited)
        answers = answers_of(file, way)
        made = asked(file, way, beginning.options, answers)
        settled = made.options or beginning.options
        # other answers, other widgets: these begin at what was answered
        kept = ".".join(f"{name}={value}" for name, value in answers.items())
        options = _options(file, way, dataclasses.replace(beginning, options=settled), kept)
        if options != settled:
            said = {q.option for q in made.questions if _said(options, q.option) != _said(settled, q.option)}
            made = asked(
                file, way, options, {**answers, **{name: str(_said(options, name)) for name in said}}
            )
            options = made.options or options
        part = chosen_part(file, way, options, made)
        return made if part is options else outcome(file, way, part)
    return Outcome()


def _said(options: ReadOptions, name: str) -> object:
    return getattr(options, name, None)


def _options(file: Upload, way: str, beginning: Suggestion, answered: str) -> ReadOptions:
    key, options = ".".join(filter(None, (key_of(file), answered, way))), beginning.options
    if beginning.notes and isinstance(
        options, LabelOptions
    ):  # other columns than the file says: other widgets
        key = f"{key}.{options.id_column}"
    changed = {**NAMES, **{name: _columns(name, values) for name, values in beginning.choices.items()}}
    drawn = [name for name, p in parameters(options).items() if not p.hidden and name not in beginning.idle]
    if isinstance(options, SimilarityOptions):
        options, done = _meaning(options, key)
        drawn = [name for name in drawn if name not in done]
    if isinstance(options, FastaOptions):
        options, done = _header(options, key)
        drawn = [name for name in drawn if name not in done]
        changed = {**changed, "header": {"label": OWN}}
    row = st.container(
        horizontal=True, vertical_alignment="bottom"
    )  # what does not fit beside the others goes below
    slots = [row.container(width="content") for _ in drawn]
    asked = controls(options, key, only=drawn, changed=changed, slots=slots, kept=False) if drawn else options
    if asked == options:
        findings(beginning.notes)
    return asked


def _meaning(options: SimilarityOptions, key: str) -> tuple[SimilarityOptions, set[str]]:
    """Similarity or distance; conversion and width only where they count. Also returns what is done."""
    options = controls(options, key, only=["meaning"], kept=False)
    if options.meaning == "similarity":
        return options, {"meaning", "conversion", "gamma"}
    options = controls(options, key, only=["conversion"], changed=NAMES, kept=False)
    return options, {"meaning", "conversion"} | (set() if options.conversion == "gaussian" else {"gamma"})


def _columns(field: str, values: tuple[str, ...]) -> Change:
    """A choice of columns; the blank one is what the reader does by itself."""
    none = BLANK.get(field, "none")
    return {"choices": values, "names": tuple(value or none for value in values)}


def _header(options: FastaOptions, key: str) -> tuple[FastaOptions, set[str]]:
    """Presets for the class in FASTA headers; the pattern itself is drawn only where it is the visitor's own."""
    presets = {title: (pattern, levels) for title, pattern, levels in PRESETS}
    guess = next((t for t, made in presets.items() if made == (options.header, options.levels)), NO_CLASS)
    titles = [NO_CLASS, *presets, OWN]
    chosen = st.selectbox(
        "Class in the header", titles, index=titles.index(guess), key=f"{key}.preset", persist_state="session",
        help="Where the header lines name the class of their sequence.",
    )  # fmt: skip
    if chosen == OWN:
        return dataclasses.replace(options, header="{id} {label}", levels=None), set()
    pattern, levels = presets.get(chosen, ("", None))
    return dataclasses.replace(options, header=pattern, levels=levels), {"header", "levels"}


def _preview(file: Upload, made: Outcome) -> None:
    if made.error is not None:
        show_error(made.error)
    if made.result is None:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if isinstance(made.result, Similarity):
            st.image(
                _picture(file, made.result), width=96, alt=f"The matrix of {file.filename}, in its own order"
            )
        st.markdown(_facts(made.result), width="stretch")


@cached
def _picture(file: Upload, samples: Similarity) -> bytes:
    return thumbnail(samples.gram.values, size=240)


def _facts(read: AnySamples | Labels) -> str:
    """What was read: kind and number of items, first ids, and classes."""
    ids = ", ".join(plain(name[:40]) for name in read.ids[:4]) + (" …" if len(read.ids) > 4 else "")
    labels = read if isinstance(read, Labels) else read.labels
    lines = [f"**{_kind(read)}**", f":gray[{ids}]"]
    if labels is not None:
        shown = ", ".join(f"{plain(name)} ({size:,})" for name, size in labels.classes[:5])
        more = ", …" if len(labels.classes) > 5 else ""
        lines.append(f"{kinds_counted(labels)}: :gray[{shown}{more}]")
    if not isinstance(read, Labels):
        lines.append(
            f":gray[A matrix of them takes {shown_bytes(memory_bytes(len(read.ids)))} (8 n² bytes).]"
        )
    return "  \n".join(lines)


def _kind(read: AnySamples | Labels) -> str:
    n = f"{len(read.ids):,}"
    if isinstance(read, Labels):
        return f"{n} labels" + (" in their own order, without ids" if read.positional else "")
    if isinstance(read, Similarity):
        unknown = sum(each.gram.unknown.unknown_pairs for each in (read, *read.others))
        one = "Distances" if is_distance(read) else "Similarities"
        of = f"{len(read.others) + 1} kernels" if read.others else one
        return f"{of} of {n} items" + (f", {counted(unknown, 'pair')} unknown" if unknown else "")
    if isinstance(read, Sequences):
        letters = sum(map(len, read.strings)) / max(read.n, 1)
        return f"{n} sequences ({read.alphabet}), {letters:,.0f} letters on average"
    if isinstance(read, GraphSet):
        mean = f"{read.n_nodes.mean():,.0f} vertices and {read.n_edges.mean():,.0f} edges"
        return f"{n} graphs of {mean} on average; {described(read)}"
    if isinstance(read, Network):
        return f"A network of {n} nodes and {counted(read.n_edges, 'edge')}"
    if isinstance(read, SparseVectors):
        return read.described
    return f"{n} items with {counted(read.X.shape[1], 'number')} each: measurements, not similarities"
