"""A field: order, what is compared with what, what a stop leaves, axes and labels."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Passes
from kernex_core.learning.chance.verdict import verdict_of
from kernex_core.runtime.progress import last_state
from kernex_core.studies.atlas.axes import NOTHING, Axis
from kernex_core.studies.atlas.circumstances import thinned
from kernex_core.studies.atlas.field import Field, filling, row_of

ACROSS = Axis("lam", "Weight", (0.0, 0.5, 1.0), symbol="λ", setting="lam")
SHARES = Axis("share", "Hidden share", (0.1, 0.5, 0.9), noun="hidden", setting="hidden", is_choice=False)
NUGGETS = Axis("nugget", "Nugget", (0.1, 0.3, 1.0), symbol="ρ", setting="nugget")
PASSES = Passes(2, 2)


def right(share, n=60):
    """The first of n items are right, in both passes."""
    return np.tile(np.arange(n) < round(share * n), (2, 1)).astype(float)


def judging(asked, refused=()):
    """Rows whose second column is best, and whose first is far behind; what is beside is the same in all."""

    def judge(value):
        asked.append(value)
        yield None
        if value in refused:
            raise InvalidInputError("A number is expected", "another")
        change = (value or 0.0) / 10.0
        columns = [right(0.3), right(0.9 - change), right(0.88 - change)]
        beside = {"source": right(0.5), "machine": right(0.4 + change)}
        return row_of(
            columns,
            beside,
            ("source",),
            passes=PASSES,
            groups=None,
            classes=None,
            floor=0.2,
            items=np.arange(60),
        )

    return judge


def filled(down, **how):
    return last_state(filling(Field.empty(ACROSS, down, "accuracy"), judging([], **how)))


def test_rows_come_coarse_to_fine_and_each_is_a_state():
    axis, asked = replace(SHARES, values=tuple(k / 10.0 for k in range(9))), []
    states = [
        one for one in filling(Field.empty(ACROSS, axis, "accuracy"), judging(asked)) if one is not None
    ]
    assert [one.done for one in states] == list(range(1, 10))
    assert asked[:3] == [0.0, 0.8, 0.4]
    assert sorted(asked) == list(axis.values)
    assert np.isnan(states[0].values[1:]).all()
    assert not np.isnan(states[-1].values).any()


def test_what_a_stop_left_is_not_judged_again():
    states = filling(Field.empty(ACROSS, SHARES, "accuracy"), judging([]))
    half = next(one for one in states if one is not None and one.done == 2)
    asked = []
    assert last_state(filling(Field.empty(ACROSS, SHARES, "accuracy"), judging(asked), half)) == filled(
        SHARES
    )
    assert len(asked) == 1


def test_a_row_that_is_refused_says_why_and_the_others_are_there():
    field = filled(SHARES, refused=(0.5,))
    assert [at for at, _ in field.failed] == [1]
    assert "number" in field.failed[0][1]
    assert field.done == field.total
    assert np.isnan(field.values[1]).all()
    assert field.verdict(1) is None


def test_where_rows_are_circumstances_each_is_a_question_of_its_own():
    field = filled(SHARES)
    for row in range(3):
        by_name = {field.across.words(k): field.rows[row].by_item[k] for k in range(3)}
        by_name |= dict(zip(("source", "machine"), field.rows[row].by_item[3:], strict=True))
        assert field.verdict(row) == verdict_of(by_name, PASSES, plain=["source"])
        assert field.as_good[row].tolist() == [False, True, True]


def test_where_rows_are_choices_all_of_the_field_is_one_question():
    field = filled(NUGGETS)
    made = field.verdict(2)
    assert made is field.verdict(0)
    assert made.best.name == "λ = 0.5, ρ = 0.1"
    names = [each.name for each in made.candidates]
    # the source is the same at every nugget, and one candidate; the machine is three
    assert sorted(name for name in names if "λ" not in name) == [
        "machine", "machine, ρ = 0.3", "machine, ρ = 1", "source",
    ]  # fmt: skip
    assert made.best_plain.name == "source"
    assert field.candidate_beside(2, "source").name == "source"
    assert field.candidate_beside(2, "machine").name == "machine, ρ = 1"
    part = replace(field, rows=(*field.rows[:2], None))
    assert part.verdict(0) is None
    assert not part.as_good.any()


def test_of_a_loss_the_smallest_is_best():
    field = last_state(filling(Field.empty(ACROSS, SHARES, "loss", smaller=True), judging([])))
    assert field.verdict(0).best.name == "λ = 0"


def test_a_column_that_could_not_be_judged_is_no_candidate():
    row = row_of(
        [None, right(0.5)], {}, (), passes=PASSES, groups=None, classes=None, floor=0.2, items=np.arange(60)
    )
    field = Field(replace(ACROSS, values=(0.0, 1.0)), NOTHING, "accuracy", False, (row,))
    assert np.isnan(field.values[0, 0])
    assert field.interval(0, 0) is None
    assert field.candidate(0, 0) is None
    assert [each.name for each in field.verdict(0).candidates] == ["λ = 1"]


def test_the_table_has_every_cell_and_what_stands_beside():
    field = filled(SHARES)
    rows = field.table()
    assert len(rows) == 3 * (3 + 2)
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    cell = rows[1]
    assert (cell["share"], cell["lam"], cell["accuracy"]) == (0.1, 0.5, field.values[0, 1])
    assert cell["interval_from"] == field.interval(0, 1).low
    assert rows[0]["p_holm_to_best"] == field.candidate(0, 0).p
    assert rows[3]["p_holm_to_best"] == field.candidate_beside(0, "source").p
    assert [row["judged"] for row in rows[:5]] == ["", "", "", "source", "machine"]
    assert len(filled(NOTHING).table()[0]) == len(rows[0]) - 1


def test_which_items_change_along_the_columns():
    field = filled(SHARES)
    shares = field.changes(0)
    assert shares.shape == (60, 3)
    assert shares[:18].tolist() == [[1.0] * 3] * 18  # three tenths are right everywhere
    assert shares[20].tolist() == [0.0, 1.0, 1.0]
    assert shares[59].tolist() == [0.0] * 3
    np.testing.assert_allclose(shares.mean(axis=0), field.values[0])
    assert replace(field, smaller=True).changes(0) is None
    assert replace(field, rows=(None, *field.rows[1:])).changes(0) is None
    once = np.array([right(0.5)[0], right(0.3)[0]])  # what is right in one pass of two is half
    row = row_of([once] * 3, {}, (), passes=PASSES, groups=None, classes=None, floor=0.2, items=np.arange(60))
    shares = replace(field, rows=(row, None, None)).changes(0)
    assert [shares[k].tolist() for k in (0, 20, 40)] == [[1.0] * 3, [0.5] * 3, [0.0] * 3]


def test_axes_say_their_values_in_words_and_as_addresses_have_them():
    assert SHARES.words(0) == "10\u00a0% hidden"
    assert SHARES.written(0) == "10 %"
    assert SHARES.tick(0) == "10"
    assert SHARES.title == "Hidden share, %"
    scheme = Axis("scheme", "Scheme", ("clip", "square root"))
    assert [scheme.words(1), scheme.written(1), scheme.tick(1), scheme.title] == ["square root"] * 3 + [
        "Scheme"
    ]
    assert scheme.nearest("square root") == 1
    assert scheme.nearest("none of them") == 0
    named = replace(scheme, names=("Clip", "Root"))
    assert [named.words(1), named.tick(1), named.written(1)] == ["Root", "Root", "square root"]
    assert (NOTHING.words(0), NOTHING.written(0), NOTHING.tick(0)) == ("", "", "")


def test_fewer_labels_are_a_part_of_more_and_every_class_stays():
    y = np.repeat(["a", "b", "c", ""], [20, 9, 3, 4])
    labels = Labels(tuple(f"i{k}" for k in range(y.size)), y, groups=y)
    before = thinned(labels, 0.0, seed=1)
    assert [int((before.y == name).sum()) for name in "abc"] == [2, 2, 2]
    for share in (0.1, 0.4, 0.7, 1.0):
        now = thinned(labels, share, seed=1)
        assert (now.labelled | ~before.labelled).all()
        assert (now.y[now.labelled] == labels.y[now.labelled]).all()
        before = now
    assert (before.y == labels.y).all()
    assert (before.groups == labels.groups).all()
    assert (thinned(labels, 0.4, seed=2).y != thinned(labels, 0.4, seed=1).y).any()
    with pytest.raises(InvalidInputError, match="two classes"):
        thinned(Labels(("a", "b"), np.array(["x", "x"])), 0.5, seed=0)
