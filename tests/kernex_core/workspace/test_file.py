"""A workspace comes back from its file bit for bit, today's and that of every format there was."""

import dataclasses
import hashlib
import io
import json

import numpy as np
import pytest

from kernex_core import (
    InvalidInputError,
    OpenData,
    TooLargeError,
    Workspace,
    read_samples,
    read_workspace,
    write_workspace,
)
from kernex_core.gram.step import Step
from kernex_core.workspace import archive
from kernex_core.workspace.catalogue import VALUES
from kernex_core.workspace.values import fits, hints
from tests.conftest import REPOSITORY
from tests.kernex_core.workspace.examples import gram, matrices, workspace

FORMATS = REPOSITORY / "tests" / "data" / "workspaces"


def digests(made):
    return [
        (entry.dataset.digest, [(name, K.digest, K.recipe.digest) for name, K in entry.kernels.items()])
        for entry in made.data
    ]


def bits(value):
    """All arrays inside a value, byte for byte with dtype and shape, in order."""
    if isinstance(value, np.ndarray):
        return [(value.dtype.str, value.shape, value.tobytes())]
    if dataclasses.is_dataclass(value):
        return [each for field in dataclasses.fields(value) for each in bits(getattr(value, field.name))]
    if isinstance(value, dict):
        return [each for item in value.values() for each in bits(item)]
    if isinstance(value, tuple | list):
        return [each for item in value for each in bits(item)]
    if hasattr(value, "indptr"):
        return bits([value.data, value.indices, value.indptr])
    return []


def test_everything_comes_back_bit_for_bit():
    made = workspace()
    written = write_workspace(made)
    opened = read_workspace(written)
    assert opened == made
    assert digests(opened) == digests(made)
    assert bits(opened) == bits(made)
    assert len(bits(made)) > 20
    assert opened.data[0].kernels["joint"].steps == made.data[0].kernels["joint"].steps
    assert opened.datasets["matrices"].digest == made.datasets["matrices"].digest
    assert write_workspace(opened) == written == write_workspace(workspace())


def test_nan_keeps_its_sign_and_its_letters():
    K = np.array(gram().values)
    quiet = np.frombuffer(np.uint64(0x7FF8_0000_0000_0ABC).tobytes(), np.float64)[0]
    K[0, 1] = K[1, 0] = -quiet
    made = OpenData(
        dataclasses.replace(matrices().dataset, kernels={"K": dataclasses.replace(gram(), values=K)})
    )
    assert bits(read_workspace(write_workspace(Workspace((made,))))) == bits(Workspace((made,)))


def test_the_file_is_an_archive_of_arrays_without_pickles():
    with np.load(io.BytesIO(write_workspace(workspace())), allow_pickle=False) as file:
        arrays = [file[name] for name in file.files if name.startswith("arrays/")]
    assert any(np.array_equal(array, gram().values) for array in arrays)


@pytest.mark.parametrize("path", sorted(FORMATS.glob("*.kernex")), ids=lambda path: path.stem)
def test_files_of_every_format_are_read(path):
    """What they hold was written down when they were saved, in words that no later version changes."""
    opened = read_workspace(path.read_bytes())
    said = [
        f"{entry.dataset.name}: {', '.join(f'{name} {hashed(K)}' for name, K in entry.kernels.items()) or 'nothing kept'}"
        for entry in opened.data
    ]
    assert said == path.with_suffix(".txt").read_text("utf-8").splitlines()
    assert opened.settings["combine"]["kernels"] == ["a", None, True, 3]


def test_the_example_holds_every_kind_of_value():
    with np.load(io.BytesIO(write_workspace(workspace()))) as file:
        objects = json.loads(file["objects.json"])["objects"]
    assert {each["type"] for each in objects if "type" in each} == set(VALUES)


def hashed(K):
    steps = "-".join(type(step).__name__ for step in K.steps) or "brought"
    return f"{steps} {hashlib.sha256(K.values.tobytes()).hexdigest()[:16]}"


def test_there_is_a_file_of_every_format():
    wanted = [f"format_{number}" for number in range(1, archive.FORMAT + 1)]
    assert [path.stem for path in sorted(FORMATS.glob("*.kernex"))] == wanted


def steps(kind=Step):
    for each in kind.__subclasses__():
        if each.__module__.startswith("kernex_core"):
            yield each
            yield from steps(each)


def test_every_step_can_be_written():
    concrete = {each for each in steps() if not getattr(each, "__abstractmethods__", None)}
    assert {each.__name__ for each in concrete} - set(VALUES) == set()


@pytest.mark.parametrize("kind", VALUES.values(), ids=VALUES)
def test_the_declared_types_of_every_value_can_be_held(kind):
    fields = [
        each for each in dataclasses.fields(kind) if each.default is not dataclasses.MISSING and each.init
    ]
    assert [
        each.name for each in fields if each.name != "ids" and not fits(each.default, hints(kind)[each.name])
    ] == []


@pytest.mark.parametrize(
    "settings", [{"a": object()}, {"a": float("nan")}, {1: 2}, {"a": (1, 2)}, {"a": np.float64(1.0)}]
)
def test_settings_are_plain(settings):
    with pytest.raises(InvalidInputError, match="Settings of a workspace are text"):
        Workspace(settings=settings)


def test_names_differ_and_the_chosen_one_is_there():
    with pytest.raises(InvalidInputError, match="two are called 'matrices'"):
        Workspace((matrices(), matrices()))
    with pytest.raises(InvalidInputError, match="'other', which is not in it"):
        Workspace((matrices(),), "other")
    with pytest.raises(InvalidInputError, match="'K' has 1 others, for example 'z'"):
        OpenData(matrices().dataset, {"K": dataclasses.replace(gram(), ids=("a", "β", "$1", "'c\"", "z"))})


def test_what_could_not_be_opened_is_not_saved(monkeypatch):
    monkeypatch.setattr(archive, "WORKSPACE_LIMIT", 1_000)
    with pytest.raises(TooLargeError, match=r"may hold 1\.0 kB"):
        write_workspace(workspace())
    monkeypatch.undo()
    with pytest.raises(InvalidInputError, match="a value of type Fraction"):
        write_workspace(
            Workspace((dataclasses.replace(matrices(), selection=__import__("fractions").Fraction(1)),))
        )


def test_a_workspace_among_data_files_says_where_it_is_opened():
    with pytest.raises(InvalidInputError, match=r"mine\.zip, which is a whole workspace\. Open it under"):
        read_samples(write_workspace(workspace()), "mine.zip")
