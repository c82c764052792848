"""Model: a learner that was trained on all items of a kernel, with all that it takes to predict new ones."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

import numpy as np
from scipy.sparse import csr_array

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, ReadOnlyArrays, Rows, owned
from kernex_core.base.validation import as_matrix, check_item_count, common_value
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import FittedChain, nearest_before
from kernex_core.inputs.dataset import kind_words
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.new_items import NewRows, new_ids, new_rows_of, read_new, read_new_vectors
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Sequences, SparseVectors, Vectors
from kernex_core.inputs.tables.table import as_text
from kernex_core.inputs.upload import Upload
from kernex_core.kernels.base import AbstractKernel
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.catalogue import LEARNERS
from kernex_core.learning.learners.contract import Fitted, Learner, Targets, check_learns
from kernex_core.learning.learners.neighbours import nearest
from kernex_core.workspace.archive import WORKSPACE_LIMIT, pack, unpack
from kernex_core.workspace.catalogue import VALUES
from kernex_core.workspace.file import parts_of, value_of

Items = Sequences | Vectors | SparseVectors | GraphSet
"""What a model compares by its kernel."""
ERROR = "root mean squared error"
"""Measure of predicted numbers."""


@dataclass(frozen=True, eq=False)
class Judged(EqualByContent):
    """What was found when the kernel and the learner were judged: a number, and on what it rests.

    Attributes
    ----------
    measure : str
    value, low, high, floor : float
        With its interval for other data sets of this size, and what is known without the kernel.
    rests_on : str
        "206 items, each judged 5 times".
    state : str
        What was seen of tested items.
    validation : CrossValidation
    smaller : bool
        It is an error of predicted numbers.
    """

    measure: str
    value: float
    low: float
    high: float
    floor: float
    rests_on: str
    state: str
    validation: CrossValidation
    smaller: bool = False


@dataclass(frozen=True, eq=False)
class Predicted(ReadOnlyArrays):
    """What a model says of new items.

    Attributes
    ----------
    ids : tuple of m str
    classes : tuple of c str
        () where numbers are predicted.
    decisions : (m, c) float
        Above 0 = yes; (m, 1) predicted numbers.
    probabilities : (m, c) float
        Of "is it class c?"; no rows where the learner has none.
    nearest : tuple of m str
        Id of the training item that each is nearest to, by the distance that the kernel induces.
    distance : (m,) float
        To that one.
    usual : float
        Largest distance of a training item from its nearest other one.
    half : (m,) float
        Half of the interval of each number that is to hold 9 of 10; none of learners that say none.
    """

    ids: tuple[str, ...]
    classes: tuple[str, ...]
    decisions: FloatArray
    probabilities: FloatArray
    nearest: tuple[str, ...]
    distance: FloatArray
    usual: float
    half: FloatArray

    @property
    def labels(self) -> tuple[str, ...]:
        """Class with the largest decision value; () where numbers are predicted."""
        return tuple(self.classes[c] for c in self.decisions.argmax(axis=1)) if self.classes else ()

    @property
    def numbers(self) -> FloatArray:
        """(m,) predicted numbers; none where classes are predicted."""
        return np.asarray(self.decisions[:, 0] if not self.classes else np.zeros(0))

    @property
    def unlike(self) -> BoolArray:
        """(m,) items that are further from every training item than any of these is from its nearest."""
        return np.asarray(self.distance > self.usual)

    def table(self) -> list[dict[str, object]]:
        """One row an item, as files write it."""
        made: list[dict[str, object]] = []
        for k, name in enumerate(self.ids):
            row: dict[str, object] = {"id": name}
            if self.classes:
                row["predicted class"] = self.labels[k]
                row |= {
                    f"decision {c}": float(v) for c, v in zip(self.classes, self.decisions[k], strict=True)
                }
                if self.probabilities.size:
                    shares = zip(self.classes, self.probabilities[k], strict=True)
                    row |= {f"probability {c}": float(v) for c, v in shares}
            else:
                row["predicted number"] = float(self.decisions[k, 0])
                if self.half.size:
                    row["half of the 90 % interval"] = float(self.half[k])
            row |= {
                "nearest training item": self.nearest[k], "distance": float(self.distance[k]),
                "unlike the training items": "yes" if self.unlike[k] else "no",
            }  # fmt: skip
            made.append(row)
        return made


@dataclass(frozen=True, eq=False)
class Model(ReadOnlyArrays):
    """A learner trained on all items of a kernel that have a class or a number.

    Attributes
    ----------
    gram : GramMatrix
        Of the training items, with its steps.
    kernel : AbstractKernel or None
        With every parameter set; None: it is known as a matrix alone, and new items are rows of similarities.
    samples : Sequences, Vectors, SparseVectors, GraphSet or None
        The training items, where there is a kernel.
    learner : Learner
        With the strength that is used.
    in_units : bool
        That strength is in units of the training block.
    targets : Targets
    classes : tuple of str
        What codes stand for; () for numbers.
    judged : Judged
    data_digest : str
        SHA-256 of kernel and labels that it was judged on.
    """

    gram: GramMatrix
    kernel: AbstractKernel[Any] | None
    samples: Items | None
    learner: Learner
    in_units: bool
    targets: Targets
    classes: tuple[str, ...]
    judged: Judged
    data_digest: str

    def __post_init__(self) -> None:
        n, values = self.gram.n, self.targets.values
        check_item_count(n)
        check_learns(self.learner, self.targets.kind)
        fits = self.samples is None or self.samples.ids == self.gram.ids
        if values.shape != (n,) or not np.isfinite(values).all() or not fits:
            raise InvalidInputError("A model has one target and one sample an item of its kernel", "others")
        c = self.targets.n_classes
        if c != len(self.classes) or (c and (c < 2 or values.min() < 0 or values.max() >= c)):
            raise InvalidInputError("A model has one code a class", f"{len(self.classes)} classes")
        if (self.kernel is None) != (self.samples is None):
            raise InvalidInputError("A model has its kernel with the items that it compares", "one of them")
        super().__post_init__()

    def shown_rows(self) -> Rows:
        """See ReadOnlyArrays."""
        said = self.judged
        learned = ", ".join(self.classes) or "numbers"
        return (
            ("kernel", self.gram.name), ("learner", self.learner.title.lower()), ("learns", learned),
            ("items", f"{self.gram.n:,}"), (said.measure, f"{said.value:.3f} (floor {said.floor:.3f})"),
        )  # fmt: skip

    @property
    def takes(self) -> str:
        """What new items are, in words."""
        return "rows of similarities" if self.samples is None else kind_words(self.samples.kind)

    @cached_property
    def chain(self) -> FittedChain:
        """The steps, fitted on the training items.

        Raises
        ------
        InvalidInputError
            A step that reaches no new items.
        """
        base, steps = self.gram.base, self.gram.steps
        nearest = nearest_before(base, np.arange(base.n), steps)
        made = FittedChain.of(steps, base.values, nearest=nearest)
        try:
            made.cross(base.values[:1], base.values.diagonal()[:1])
        except (KernexError, NotImplementedError) as error:
            raise InvalidInputError(
                f"The kernel {self.gram.name!r} has to reach items that it was not made of",
                str(error),
                "Choose one that is made of sequences, vectors or graphs, or a matrix with repairs and normalisation alone",
            ) from None
        return made

    @cached_property
    def fitted(self) -> Fitted:
        """The learner, trained.

        Raises
        ------
        NotPositiveSemidefiniteError
            Naming the repair.
        """
        check_judgeable(self.gram)
        fit = self.learner.fit_in_units if self.in_units else self.learner.fit
        return fit(self.chain.block, self.targets)

    @cached_property
    def usual(self) -> float:
        """Largest distance of a training item from its nearest other one."""
        K = self.chain.block
        own = K.diagonal()
        squared = own[:, None] - 2.0 * K + own
        np.fill_diagonal(squared, np.inf)
        return float(np.sqrt(np.maximum(squared.min(axis=1), 0.0).max()))

    def read(self, data: bytes | Upload, filename: str) -> Items | NewRows:
        """Read new items of a file, of the kind that the model takes.

        Raises
        ------
        InvalidInputError, TooLargeError
        """
        if isinstance(self.samples, Sequences):
            return read_new(data, filename, self.samples)
        if isinstance(self.samples, Vectors | SparseVectors):
            return read_new_vectors(data, filename, self.samples)
        if self.samples is None:
            base = self.gram.base
            return new_rows_of(data, filename, base.ids, base.values.diagonal())
        return cast("GraphSet", read_samples(data, filename, kind="graphs"))

    def predict(self, items: Any) -> Predicted:
        """Classes or numbers of new items.

        Parameters
        ----------
        items : Sequences, Vectors, SparseVectors, GraphSet or NewRows
            Of the kind that the model takes; also a list of strings or of graphs, or an array with one row an item.

        Raises
        ------
        InvalidInputError
            Items of another kind, or that the kernel refuses.
        """
        rows = self._compared(items)
        crossed = self.chain.cross(rows.cross, rows.own)
        decisions = self.fitted.decide(crossed.values)
        found = nearest(crossed.values, crossed.diag, self.chain.block.diagonal())
        probabilities = self.learner.probabilities(decisions) if self.classes else None
        half = self.learner.half_widths(self.fitted, crossed.values, crossed.diag)
        return Predicted(
            rows.ids,
            self.classes,
            decisions,
            np.zeros((0, 0)) if probabilities is None else probabilities,
            tuple(self.gram.ids[i] for i in found.positions[:, 0]),
            np.sqrt(np.maximum(found.squared_distances[:, 0], 0.0)),
            self.usual,
            np.zeros(0) if half is None else half,
        )

    def _compared(self, items: Any) -> NewRows:
        """Similarities of new items to the training items before any step."""
        if self.kernel is None or self.samples is None or isinstance(items, NewRows):
            return self._rows(items)
        new = self._samples(items)
        self.kernel.check(new.values, new.ids)
        cross = self.kernel.cross(new.values, self.samples.values)
        return NewRows(new.ids, owned(cross), owned(self.kernel.own(new.values)))

    def _rows(self, items: Any) -> NewRows:
        base = self.gram.base
        rows = items if isinstance(items, NewRows) else None
        if rows is None:
            own = common_value(base.values.diagonal())
            if not isinstance(items, np.ndarray | list) or np.isnan(own):
                raise InvalidInputError(
                    f"This model takes similarities of new items to its {base.n:,} training items, and to themselves",
                    type(items).__name__,
                    "Read them with model.read(data, filename)",
                )
            given = as_matrix(items, "Similarities of new items")
            rows = NewRows(new_ids([""] * len(given), base.ids), given, np.full(len(given), own))
        if rows.cross.shape[1] != base.n:
            raise InvalidInputError(
                f"Similarities to {base.n:,} items are needed", f"to {rows.cross.shape[1]:,}"
            )
        return rows

    def _samples(self, items: Any) -> Items:
        known = self.samples
        if isinstance(items, list | tuple | np.ndarray) and len(items):
            ids = new_ids([""] * len(items), self.gram.ids)
            if isinstance(known, Sequences) and all(isinstance(each, str) for each in items):
                return Sequences(ids, tuple(map(str, items)), known.alphabet)
            if isinstance(known, GraphSet) and all(isinstance(each, Graph) for each in items):
                return GraphSet.of(list(items), ids)
            if isinstance(known, Vectors | SparseVectors):
                items = Vectors(ids, as_matrix(items, "New items"), known.columns)
        both = isinstance(known, Vectors | SparseVectors) and isinstance(items, Vectors | SparseVectors)
        if not (both or type(items) is type(known)):
            raise InvalidInputError(f"This model takes {self.takes}", type(items).__name__)
        if both and items.X.shape[1:] != cast("Vectors", known).X.shape[1:]:
            width = cast("Vectors", known).X.shape[1]
            raise InvalidInputError(
                f"New items have the {width:,} columns of the training items", f"{items.X.shape}"
            )
        if isinstance(known, SparseVectors) and isinstance(items, Vectors):
            return SparseVectors(items.ids, csr_array(items.X), known.columns)
        return cast("Items", items)


# save_model and load_model: a model as one file, and back bit for bit.
#
# The zip of a workspace (NumPy arrays and JSON, nothing that would be run) with a seal: its comment is the SHA-256 of all
# bytes before it, so that a file of which one byte was changed is refused whole.

KIND: Final = "Kernex model"
ROOT: Final = "model"
KINDS: Final[dict[str, type]] = {
    **VALUES, **{kind.__name__: kind for kind in (*LEARNERS, CrossValidation, Judged, Model, Targets)},
}  # fmt: skip
"""What may stand in the file of a model, by name: nothing else is ever made from one."""
_SEAL: Final = 64
_INSTEAD: Final = (
    ("A Kernex workspace file", "A Kernex model file"), ("A workspace file", "A model file"),
    ("a workspace file", "a model file"), ("Save workspace", "Save model"),
)  # fmt: skip


def save_model(model: Model) -> bytes:
    """Return the file of a model; the same model gives the same bytes.

    Raises
    ------
    InvalidInputError
        A value that no file holds.
    TooLargeError
        More than WORKSPACE_LIMIT bytes.
    """
    return sealed(parts_of(model, KINDS, ROOT))


def sealed(parts: Mapping[str, bytes]) -> bytes:
    """Return the file of the parts of a model."""
    made = pack(parts, KIND)
    made = made[:-2] + _SEAL.to_bytes(2, "little")  # the zip ends with the length of its comment
    return made + hashlib.sha256(made).hexdigest().encode()


def load_model(data: bytes, *, limit: int = WORKSPACE_LIMIT) -> Model:
    """Return the model of a file that Kernex has saved.

    Parameters
    ----------
    data : bytes
        Of the file.
    limit : int
        Bytes that its parts may have together, unpacked.

    Raises
    ------
    InvalidInputError
        Not such a file, one of which a byte was changed, or one that says what Kernex would not have written.
    TooLargeError
        It would unpack to more than `limit`.
    """
    return model_of(model_parts(data, limit))


def model_parts(data: bytes, limit: int = WORKSPACE_LIMIT) -> dict[str, bytes]:
    """Return the parts of the file of a model, whose seal and digests are right; perhaps for another process.

    Raises
    ------
    InvalidInputError, TooLargeError
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise InvalidInputError(
            "The bytes of a model file are needed", f"a value of type {type(data).__name__}",
            "Read it first: Path(file).read_bytes()",
        )  # fmt: skip
    data = bytes(data)
    with _about_a_model():
        if not data.startswith(b"PK\x03\x04"):
            raise InvalidInputError(
                "A Kernex model file (.kernex) was expected", "another kind of file" if data else "an empty file",
                "Choose the file that “Save model” gave",
            )  # fmt: skip
        if hashlib.sha256(data[:-_SEAL]).hexdigest().encode() != data[-_SEAL:]:
            raise InvalidInputError(
                "A Kernex model file (.kernex) was expected",
                "one that is not as it was saved (its SHA-256 is another), or a workspace",
                "Choose the file that “Save model” gave, or transfer it once more",
            )
        return unpack(data, limit, KIND)


def model_of(parts: Mapping[str, bytes | memoryview]) -> Model:
    """Return the model of the parts of a file.

    Raises
    ------
    InvalidInputError
        Parts that say what Kernex would not have written.
    """
    with _about_a_model():
        made = value_of(parts, Model, KINDS, ROOT)
        assert made.chain is not None  # a hostile file is refused before somebody brings items
        return made


@contextmanager
def _about_a_model() -> Iterator[None]:
    """Say of a model what is said of a workspace: both are the same zip."""
    try:
        yield
    except KernexError as error:
        said = [error.expected, error.found, error.remedy]
        for old, new in _INSTEAD:
            said = [each.replace(old, new) for each in said]
        raise type(error)(*said) from None


def predict_csv(model: bytes, items: bytes, filename: str) -> str:
    """Return predictions of the items of a file as CSV: what `kernex predict` prints.

    Raises
    ------
    InvalidInputError, TooLargeError
        A file that is no model, or items that it does not take.
    """
    made = load_model(model)
    rows = made.predict(made.read(items, filename)).table()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in (rows[0], *(each.values() for each in rows)):
        # what a spreadsheet would run gets an apostrophe before it, as in the files of pages
        writer.writerow([as_text(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()
