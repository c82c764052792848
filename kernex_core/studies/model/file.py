"""save_model and load_model: a model as one file, and back bit for bit.

The zip of a workspace (NumPy arrays and JSON, nothing that would be run) with a seal: its comment is the SHA-256 of all
bytes before it, so that a file of which one byte was changed is refused whole.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.inputs.tables.table import as_text
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.catalogue import LEARNERS
from kernex_core.learning.learners.contract import Targets
from kernex_core.studies.model.model import Judged, Model
from kernex_core.workspace.archive import WORKSPACE_LIMIT, pack, unpack
from kernex_core.workspace.catalogue import VALUES
from kernex_core.workspace.file import parts_of, value_of

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
