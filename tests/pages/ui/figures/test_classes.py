import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.figures import theme
from pages.ui.figures.theme import MOST, Classes, class_codes, class_styles, like, recoloured

NAMES = [f"c{k:02d}" for k in range(13)]
ITEMS = [name for k, name in enumerate(NAMES) for _ in range(20 - k)] + [None, ""]


@given(st.lists(st.sampled_from(NAMES), unique=True), st.lists(st.sampled_from(NAMES), unique=True))
def test_who_stays_keeps_its_place_and_as_many_as_fit_have_one(first, then):
    before = recoloured((), first)
    after = recoloured(before, then)
    assert len(before) == len(after) == MOST == len(theme.CLASS_COLOURS) - 1
    assert {name for name in after if name} == set(then[:MOST])
    assert all(after[k] == name for k, name in enumerate(before) if name and name in then[:MOST])


@pytest.mark.parametrize("shown", [NAMES, NAMES[4:], NAMES[10:], NAMES[:3]])
def test_chosen_classes_have_their_colour_in_every_part_of_the_data_and_the_rest_is_grey(shown):
    coloured = recoloured((), ["c12", "c03", "c11"])
    items = like(Classes(tuple(ITEMS), coloured), [name for name in ITEMS if name in shown])
    styles, codes = class_styles(items), class_codes(items)
    rest = [name for name in shown if name not in coloured]
    drawn = {name: styles[code] for name, code in zip(items, codes.tolist(), strict=True)}
    for name in shown:
        k = coloured.index(name) if name in coloured else -1
        assert drawn[name].colour == (theme.OTHER if k < 0 else theme.CLASS_COLOURS[k])
        assert drawn[name].marker == theme.CLASS_MARKERS[k]
    assert [style.count for style in styles] == np.bincount(codes).tolist()
    named = rest[0] if len(rest) == 1 else f"{len(rest)} other classes"
    assert [style.name for style in styles if style.colour == theme.OTHER] == ([named] if rest else [])


def test_without_a_choice_everything_is_as_the_names_alone_have_it():
    assert class_styles(Classes(tuple(ITEMS))) == class_styles(ITEMS)
    assert like(ITEMS, ["c00"]) == ["c00"]
    assert Classes(tuple(ITEMS), ("c12",))[:2] == Classes(("c00", "c00"), ("c12",))
