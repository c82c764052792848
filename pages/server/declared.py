"""What can be set on a page, declared once: every widget that changes what a page shows is made from its declaration.

    SETTINGS = declared(
        of_data("kernels", "Kernels"),                       names of things in the data: kept with the data set
        of_items("item", "Sequence"),                        the same, and in no address
        setting("measure", "Measure"),                       of the page
        *of(CrossValidation, "folds", "repeats", "seed"),    fields of a study's configuration, with their descriptions
    )

The name is what stands in the address, in a saved workspace and in the folder of KERNEX_KEEP. Defaults, bounds and choices
of a field are those of its `Parameter`; what depends on the data is said where the widget is drawn (`widgets`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from kernex_core.base.parameters import Parameter, parameters
from kernex_core.inputs.dataset import DataSet, kind_words
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Sequences, SparseVectors, Vectors

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# What the widget of a described field is called.

GREEK: Final = {
    r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\delta": "δ", r"\varepsilon": "ε", r"\lambda": "λ", r"\rho": "ρ",
    r"\sigma": "σ", r"\tau": "τ", r"\Omega": "Ω",
}  # fmt: skip


def label(parameter: Parameter, name: str) -> str:
    """Return the widget's label: plain name, symbol, unit in brackets.

    It is what a screen reader says, too, which reads formulas and markdown letter by letter.
    """
    plain = plain_label(parameter, name)
    letters = GREEK.get(parameter.symbol, parameter.symbol)
    symbol = f" {letters}" if letters and letters != plain else ""
    unit = f" ({parameter.unit})" if parameter.unit not in ("", "%") else ""
    return plain + symbol + unit


def plain_label(parameter: Parameter, name: str) -> str:
    """Return the label without symbol and unit."""
    return parameter.label or (name if len(name) == 1 else name.replace("_", " ").capitalize())


Belongs: TypeAlias = Literal["page", "data", "everywhere"]
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
RESERVED: Final = ("data", "projector", "class", "embed", "embed_options")
"""Names of the address that are no settings of a page."""


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes
    ----------
    name : str
        In the address and in files.
    label : str
        Of its widget, and in the sheet of settings of a report and a figure.
    belongs : {"page", "data", "everywhere"}
        "data": names something in the data, and every data set has its own. "everywhere": the same on all pages.
    former : str
        Name that it had in older addresses.
    in_address : bool
        What names items, classes or columns does not stand there: that is data.
    in_view : bool
        Its widget stands in full view and not behind the button Settings: that it differs need not be said.
    """

    name: str
    label: str
    belongs: Belongs = "page"
    former: str = ""
    in_address: bool = True
    in_view: bool = False


Declared: TypeAlias = Mapping[str, Setting]


def setting(name: str, label: str, *, former: str = "") -> Setting:
    """Declare a setting of the page."""
    return Setting(name, label, former=former)


def of_data(name: str, label: str) -> Setting:
    """Declare a setting that names something in the data that has a name of its own: a kernel, samples."""
    return Setting(name, label, "data")


def of_items(name: str, label: str) -> Setting:
    """Declare a setting that names items, classes or columns: it is kept with the data, and in no address."""
    return Setting(name, label, "data", in_address=False)


def everywhere(name: str, label: str) -> Setting:
    """Declare a setting that all pages share which have it."""
    return Setting(name, label, "everywhere")


def in_view(*settings: Setting) -> tuple[Setting, ...]:
    """Declare that the widgets of these stand in full view, and not behind the button Settings."""
    return tuple(replace(each, in_view=True) for each in settings)


def of(
    owner: DataclassInstance | type[DataclassInstance], *only: str, prefix: str = "", about: str = ""
) -> tuple[Setting, ...]:
    """Declare described fields of a dataclass, all that are not hidden or only some.

    Parameters
    ----------
    owner : dataclass or instance
    only : str
        Names of fields.
    prefix : str
        Before every field's name.
    about : str
        What tells the labels from those of another part of the page.
    """
    described = parameters(owner)
    names = only or [name for name, each in described.items() if not each.hidden]
    words = f", {about}" if about else ""
    return tuple(Setting(f"{prefix}{name}", f"{label(described[name], name)}{words}") for name in names)


def of_each(owners: Iterable[Any], *, prefix: str = "") -> tuple[Setting, ...]:
    """Declare all fields of every class of a catalogue, each class under its own name.

    Parameters
    ----------
    owners : iterable of dataclass
    prefix : str
    """
    return tuple(
        each for owner in owners for each in of(owner, prefix=own_prefix(owner, prefix)) if parameters(owner)
    )


def own_prefix(owner: Any, prefix: str = "") -> str:
    """Return what stands before the names of the fields of a class of a catalogue."""
    kind = owner if isinstance(owner, type) else type(owner)
    return f"{prefix}{kind.__name__.lower()}_"


def declared(*settings: Setting) -> Declared:
    """Return all settings of a page by name.

    Raises
    ------
    ValueError
        Two of one name, or a name that an address cannot carry: a mistake in the code, seen when the page is imported.
    """
    made: dict[str, Setting] = {}
    for each in settings:
        if each.name in made or each.name in RESERVED or not NAME.fullmatch(each.name):
            raise ValueError(f"{each.name!r} is declared twice, reserved, or no name")
        made[each.name] = each
    return MappingProxyType(made)


NONE: Final = declared()


# Whether the open data fit a page, the reason where they do not, and what the page shows where they do.
#
# why_not(address, dataset)      "" = they fit; what the sidebar says on hover, and the empty page in its place
# FITS[address]                  what an empty page says, and which demos fit it


@dataclass(frozen=True)
class Fit:
    """What a page needs.

    Attributes
    ----------
    lacks : callable
        Says of a data set what it lacks; "" = nothing.
    shows : str
        What there would be to see.
    demos : tuple of str
        Titles of demos that fit.
    """

    lacks: Callable[[DataSet], str]
    shows: str
    demos: tuple[str, ...]


def why_not(address: str, dataset: DataSet | None) -> str:
    """Return why a page has nothing to show of the open data; "" where it has, or where nothing is open."""
    fit = FITS.get(address)
    return "" if dataset is None or fit is None else fit.lacks(dataset)


def _has(dataset: DataSet, kind: type) -> bool:
    return any(isinstance(part, kind) for part in dataset.samples.values())


def _a_kernel(dataset: DataSet) -> str:
    if dataset.kernels or dataset.samples:
        return ""
    return "It looks at a kernel, or builds one; these data have neither a matrix nor samples."


def _sequences(dataset: DataSet) -> str:
    return (
        ""
        if _has(dataset, Sequences)
        else "It compares sequences, and these data have none. Bring a FASTA file."
    )


def _two(dataset: DataSet) -> str:
    if len(dataset.kernels) > 1:
        return ""
    found = counted(len(dataset.kernels), "kernel") if dataset.kernels else "none"
    return f"It needs two kernels of the same items; these data have {found}. Bring another, or keep one from Kernels."


def _pair(dataset: DataSet) -> str:
    """A source that is known everywhere, and a target."""
    if lacks := _two(dataset):
        return lacks
    if dataset.all_partly_known:
        return (
            "It needs a source that is known for every pair, and each of these kernels lacks some. They complete each other "
            "on Complete together, under Combine."
        )
    return ""


def _completable(dataset: DataSet) -> str:
    """A target that lacks single pairs, which needs no source; or a source and a target."""
    return "" if any(K.unknown.dropped.size for K in dataset.kernels.values()) else _pair(dataset)


def _judged_pair(dataset: DataSet) -> str:
    """The same, with classes of items."""
    if lacks := _pair(dataset):
        return lacks
    return "" if dataset.judgeable is not None else _judged(dataset)


def _two_whole(dataset: DataSet) -> str:
    """Two that are known everywhere."""
    if lacks := _two(dataset):
        return lacks
    whole = sum(K.unknown.complete for K in dataset.kernels.values())
    if whole > 1:
        return ""
    return (
        f"It needs two kernels that are known for every pair, and of these {'none is' if not whole else 'one is'}. Complete "
        "them first: by each other on Complete together, or from a source on Complete."
    )


def _gaps(dataset: DataSet) -> str:
    """Some of several that lack items."""
    if lacks := _two(dataset):
        return lacks
    if all(K.unknown.complete for K in dataset.kernels.values()):
        return "Each of these kernels has every item: there is nothing to complete."
    return ""


def _network(dataset: DataSet) -> str:
    if _has(dataset, Network) or _has(dataset, Vectors):
        return ""
    return "It looks at a network, and these data have none. Bring a list of edges."


def _columns(dataset: DataSet) -> str:
    if any(isinstance(part, Vectors) and part.columns for part in dataset.samples.values()):
        return ""
    return "It needs vectors whose columns have names, and a network of these columns."


def _nodes(dataset: DataSet) -> str:
    if not _has(dataset, Network):
        return "It needs a network of the items, and these data have none. Bring a list of edges."
    if dataset.kernels or len(dataset.samples) > 1:
        return ""
    return "It needs something measured of the nodes beside their network: a kernel, vectors or sequences."


def _graphs(dataset: DataSet) -> str:
    return (
        ""
        if _has(dataset, GraphSet)
        else "It compares whole graphs with each other, and these data are none."
    )


def _places(dataset: DataSet) -> str:
    if any(K.unknown.complete for K in dataset.kernels.values()) or _has(dataset, Vectors):
        return ""
    if dataset.kernels:
        return "It maps vectors or a kernel that is known for every pair: complete one first (Complete, Complete together)."
    if _has(dataset, SparseVectors):
        return "It maps a kernel of vectors that are held without their zeros: build one first (Kernels)."
    return "It maps vectors or a kernel, and these data have neither yet: build a kernel first."


def _judged(dataset: DataSet) -> str:
    if dataset.judgeable is None:
        return f"Accuracy needs labels of at least two classes; these data have {_labels_of(dataset)}."
    return _one_whole(dataset)


def _labels_of(dataset: DataSet) -> str:
    """What there is instead of classes, and what to do."""
    if dataset.labels is None:
        return "no labels. Bring labels"
    if dataset.labels.measured:
        return "numbers that hardly any two items share. Evaluate predicts them"
    return f"{'no class of several items' if len(dataset.labels.classes) > 1 else 'one class'}. Bring labels"


def _predicted(dataset: DataSet) -> str:
    """The same, or numbers."""
    of_numbers = dataset.labels is not None and dataset.labels.measured
    return _one_whole(dataset) if of_numbers else _judged(dataset)


def _one_whole(dataset: DataSet) -> str:
    if not any(K.unknown.complete for K in dataset.kernels.values()):
        return "It judges kernels that are known for every pair: build one, or complete one (Complete, Complete together)."
    return ""


def _mapped(dataset: DataSet) -> str:
    """A study with a parameter to look along: a pair, a whole kernel, or a network; with classes."""
    if dataset.judgeable is not None and _has(dataset, Network):
        return ""
    return _judged(dataset) and _judged_pair(dataset)


FITS: Final[Mapping[str, Fit]] = MappingProxyType(
    {
        "kernels": Fit(
            _a_kernel,
            "A kernel as a picture, its spectrum and map, whether it is a kernel at all, and what each repair costs.",
            ("Protein world", "An indefinite matrix", "Hits only"),
        ),
        "strings": Fit(
            _sequences,
            "What a string kernel sees in sequences, which parts make two of them alike, and how well it tells classes.",
            ("Protein world", "Almost orthogonal strings"),
        ),
        "power": Fit(
            _a_kernel,
            "What a power p does to a kernel whose items resemble only themselves, and which p tells the classes apart.",
            ("Almost orthogonal strings", "Protein world"),
        ),
        "complete": Fit(
            _completable,
            "What is known of a target, its completion from a source, and what that is worth on what was hidden.",
            ("Protein world", "Handwritten digits", "A gapped matrix"),
        ),
        "combine": Fit(
            _two_whole,
            "Whether two kernels know more together than either alone, at which weight, beside their sum and product.",
            ("Protein world", "Handwritten digits"),
        ),
        "many": Fit(
            _two,
            "Which weight each of several kernels deserves, and what all of them are worth together.",
            ("Three sources", "Digits in five views"),
        ),
        "together": Fit(
            _gaps,
            "How kernels that each lack some items complete each other, and how far every item is to be trusted.",
            ("Digits in five views",),
        ),
        "networks": Fit(
            _network,
            "A network with its kernel: how far heat should spread so that the classes of nodes are told apart.",
            ("Blocks", "Karate club", "Les Misérables"),
        ),
        "features": Fit(
            _columns,
            "Whether it helps to know which columns of a table are joined, and which edges make the difference.",
            ("Expression on a network", "A planted regulator"),
        ),
        "edges": Fit(
            _nodes,
            "Which edges a node has that the network has never seen, and how sure that is.",
            ("Interacting genes", "Unlike partners"),
        ),
        "graphs": Fit(
            _graphs,
            "Graphs side by side, which parts make two of them alike, and how well each kernel tells their classes.",
            ("Like beside like", "Structure graphs"),
        ),
        "map": Fit(
            _places,
            "A map of the items, and where items land that the map has not seen.",
            ("Swiss roll", "Protein world"),
        ),
        "groups": Fit(
            _places,
            "Which items belong together, how well each lies in its group, and whether the groups are found again.",
            ("Protein world", "Swiss roll"),
        ),
        "outliers": Fit(
            _places,
            "Items far from all others, and labels that the other items contradict.",
            ("Protein world", "Swiss roll"),
        ),
        "evaluate": Fit(
            _predicted,
            "How well each kernel tells the classes of held-out items, and which of them are told apart.",
            ("Protein world", "Three sources"),
        ),
        "tournament": Fit(
            _judged,
            "All that the kernels allow, beside what is plain, on the same folds: which is best, and what is as good.",
            ("Three sources", "Hits only"),
        ),
        "whatif": Fit(
            _mapped,
            "Accuracy along two parameters at a glance, such as λ and the hidden share, and what is as good as the best.",
            ("Protein world", "Blocks"),
        ),
        "extrapolation": Fit(
            _judged_pair,
            "The tables of the paper, printed and measured side by side.",
            ("Protein world", "Handwritten digits"),
        ),
    }
)
"""By the address of the page; pages that are not here need no data, or bring their own."""


# Which page comes next: after data were brought, and after a kernel was kept. Nobody is led to a page that does not fit.


@dataclass(frozen=True)
class Step:
    """What comes next: the address of its page, what the link to it is called, and why one would go there."""

    address: str
    label: str
    said: str


COMPLETES: Final = Step(
    "complete", "Complete", "Next: fill in what is unknown from a kernel that is known everywhere."
)
EACH_OTHER: Final = Step(
    "together",
    "Complete together",
    "Next: let the kernels complete each other; none of them is known everywhere.",
)
HIDES: Final = Step("complete", "Complete", "Next: hide a part of one kernel and rebuild it from the other.")
INSPECTS: Final = Step("kernels", "Kernels", "Next: see whether this is a kernel, and what it tells apart.")
NETWORK: Final = Step("networks", "Networks", "Next: see how far heat should spread on this network.")
STRINGS: Final = Step("strings", "Strings", "Next: choose a string kernel and see what it sees.")
GRAPHS: Final = Step("graphs", "Graphs", "Next: look at the graphs, and choose what makes two of them alike.")
TWO: Final = Step("combine", "Combine", "Next: see whether two kernels know more together than either alone.")
MANY: Final = Step("many", "Many kernels", "Next: see which weight each of these kernels deserves.")
JUDGES: Final = Step("evaluate", "Evaluate", "Next: see how well it tells the classes of held-out items.")
MAPS: Final = Step("map", "Map", "Next: see the items as this kernel places them.")


def after_bringing(data: DataSet) -> Step:
    """Return what comes next once files were read."""
    partly = any(not K.unknown.complete for K in data.kernels.values())
    kinds = " and ".join(dict.fromkeys(kind_words(part.kind) for part in data.samples.values()))
    several = len(data.kernels) > 1
    asked: tuple[tuple[bool, Step], ...] = (
        (data.all_partly_known, EACH_OTHER),
        (several and partly, COMPLETES),
        (several, HIDES),
        (bool(data.kernels), INSPECTS),
        (_next_step_has(data, Network), NETWORK),
        (_next_step_has(data, Sequences), STRINGS),
        (_next_step_has(data, GraphSet), GRAPHS),
    )
    built = Step("kernels", "Kernels", f"Next: build a kernel from these {kinds}.")
    return next((step for holds, step in asked if holds and _fits(data, step)), built)


def after_keeping(data: DataSet, is_here: Callable[[str], bool]) -> Step | None:
    """Return what comes next once a kernel was kept on one of the pages for which `is_here` holds; None = nothing fits."""
    whole = sum(K.unknown.complete for K in data.kernels.values())
    asked = (
        (whole < len(data.kernels), COMPLETES),
        (data.all_partly_known, EACH_OTHER),
        (is_here(INSPECTS.address), JUDGES),  # made of one kernel: the question is whether it is better
        (whole > 2, MANY),
        (whole == 2, TWO),
        (True, JUDGES),
        (True, MAPS),
        (True, INSPECTS),
    )
    found = (step for holds, step in asked if holds and not is_here(step.address) and _fits(data, step))
    return next(found, None)


def _next_step_has(data: DataSet, kind: type) -> bool:
    return any(isinstance(part, kind) for part in data.samples.values())


def _fits(data: DataSet, step: Step) -> bool:
    return not why_not(step.address, data)
