"""What `make science` runs: every run on a small scale, and what counts as off."""

import importlib
import math

import numpy as np
import pytest

from science import __main__ as command
from science import data
from science.table import Row, difference_se, lines


@pytest.mark.parametrize("name", command.NAMES)
def test_every_run_runs_on_a_small_scale(name, monkeypatch):
    run = importlib.import_module(f"science.runs.{name}")
    for constant, value in run.SMALL.items():
        assert hasattr(run, constant)
        monkeypatch.setattr(run, constant, value)
    try:
        rows = list(run.rows(lambda f, *tasks, **_: map(f, *tasks)))
    except data.AbsentError:
        pytest.skip(f"there are no public data sets in {data.FOLDER.parent}")
    assert run.TITLE.endswith(".")
    assert len({row.what for row in rows}) == len(rows) > 1
    assert all(math.isfinite(row.measured) and math.isfinite(row.published) for row in rows)
    # too few trials to hold anything, enough to show that units and order are right
    least = getattr(run, "UNIT", 1e-12)
    apart = [
        abs(row.measured - row.published) / max(abs(row.measured), abs(row.published), least) for row in rows
    ]
    assert np.median(apart) < 0.25


@pytest.mark.parametrize(
    ("row", "inside"),
    [
        (Row("", 0.5, 0.5), True),
        (Row("", 0.5, 0.529, se=0.01), True),
        (Row("", 0.5, 0.5301, se=0.01), False),
        (Row("", 0.5, 0.5301, se=0.01, rounding=0.005), True),
        (Row("", 0.5, 0.52, se=0.01, within=1.0), False),
        (Row("", math.nan, 0.5, se=0.01), False),
        (Row("", 0.5, 0.5, se=math.nan), False),
    ],
)
def test_a_number_is_held_within_its_standard_errors(row, inside):
    assert row.inside is inside
    assert row.off is not inside
    assert not Row("", row.measured, row.published, row.se, held=False).off


def test_the_error_of_a_difference_is_of_both_means():
    assert difference_se(0.3, 0.4) == pytest.approx(0.5)


def test_the_table_says_what_is_off():
    text = "\n".join(lines([Row("good", 1.0, 1.0), Row("bad", 1.0, 2.0), Row("known", 1.0, 2.0, held=False)]))
    assert [line.split("  ")[-1] for line in text.splitlines()[1:]] == ["inside", "OFF", "outside (not held)"]


class Fake:
    TITLE = "A run."

    def __init__(self, found):
        self.found = found

    def rows(self, map_):
        if self.found is None:
            raise data.AbsentError("nowhere")
        return [Row("a", float(*map_(abs, [self.found])), 1.0)]


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        (-1.0, 0, "Everything that is held is inside."),
        (2.0, 1, "Off: fake: a"),
        (None, 0, "Left out, for want of data: fake."),
    ],
)
def test_the_exit_code_tells_and_absent_data_are_named(found, code, said, monkeypatch, capsys):
    monkeypatch.setattr(command.importlib, "import_module", lambda _: Fake(found))
    monkeypatch.setattr(command, "NAMES", ("fake",))
    assert command.main(["--workers", "1"]) == code
    assert said in capsys.readouterr().out


def test_a_run_that_is_not_there_is_named(capsys):
    with pytest.raises(SystemExit):
        command.main(["no_such_run"])
    assert "no_such_run" in capsys.readouterr().err
