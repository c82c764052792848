"""Errata: the numbers of every card beside the recorded ones."""

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons.errata import ERRATA, bet_check, bound_check, failing_from, solved

CARDS = {card.key: card for card in ERRATA}


@pytest.fixture
def recorded(known):
    return {key: value["expected"] for key, value in known.items()}


@pytest.mark.parametrize("card", ERRATA, ids=lambda card: card.key)
def test_a_card_holds_exactly_where_its_numbers_agree(card):
    rows = card.compute()
    agree = all(np.isclose(row.printed, row.right, rtol=1e-9, atol=1e-9) for row in rows)
    assert agree == card.holds
    assert [bet_check(card, holds).right for holds in (card.holds, not card.holds)] == [True, False]


def numbers(key, side):
    return [getattr(row, side) for row in CARDS[key].compute()]


def test_recorded_numbers(recorded):
    reduced, la = recorded["12.reduced_sets"], recorded["12.la_gap_as_printed"]
    found = [
        numbers("reduced", "right")[0],
        *numbers("reduced", "printed")[1:],
        numbers("reduced", "right")[1],
    ]
    names = ["claimed_zero_Phi+PPhi+", "Q_free", "lambda_min_K-K_free", "Q_lemma1=1/K11"]
    np.testing.assert_allclose(found, [reduced[name] for name in names], atol=1e-5)
    expected = [la["K(AWCA,AACA)"], la["K(AACA,AWCA)"]]
    np.testing.assert_allclose(numbers("alignment", "printed")[:2], expected, rtol=1e-6)
    np.testing.assert_allclose(numbers("alignment", "right"), la["right_both_ways"], rtol=1e-6)
    np.testing.assert_allclose(numbers("yates", "printed"), list(recorded["12.yates"].values()), atol=1e-5)
    squares, walks = recorded["12.polynomial"], recorded["12.nth_order_walk"]
    assert (numbers("squares", "printed"), numbers("squares", "right")) == (
        [squares["sum_i<=j"]],
        [squares["(x.y)^2"]],
    )
    assert numbers("walks", "printed") == [walks["sum_A^2"]]
    assert numbers("walks", "right") == [walks["walks_with_2_vertices"]]
    trees = recorded["9.any_subset_trees"]
    np.testing.assert_allclose(
        numbers("trees", "printed"), [trees["ratio"], trees["ratio_root_pair_children_only"]], rtol=1e-6
    )
    densities = recorded["4.spectral_densities"]
    assert numbers("gaussian_density", "printed")[0] == pytest.approx(
        densities["slide_gauss_norm2_of_K0_s1_should_be_1"]
    )
    assert numbers("sinc_norm", "printed")[0] == pytest.approx(densities["slide_sinc_norm2_of_K0_omega3"])
    assert numbers("sinc_norm", "right")[0] == pytest.approx(densities["sinc_norm2_of_K0_omega3"])
    np.testing.assert_allclose(
        numbers("free", "right"), recorded["7.free_depends_on_norm"]["best_q_p1_p2_pinf"], atol=1e-4
    )
    lemma = [row.right for row in CARDS["lemma_6"].compute()]
    np.testing.assert_allclose(lemma, recorded["8.lemma6"]["range_of_wQw_on_boundary"], atol=1e-4)
    anova = recorded["5.anova"]
    assert numbers("anova", "printed")[:3] == [row[3] for row in anova["printed_boundary"][1:]]
    assert numbers("anova", "printed")[3] == anova["printed_sum"]
    assert numbers("anova", "right") == [
        *(row[3] for row in anova["lattice_rows_s0..3_cols_r0..3"][1:]),
        anova["all_subsets"],
    ]


def test_recorded_von_neumann(recorded):
    want = recorded["12.von_neumann"]
    assert failing_from() == pytest.approx(want["bound"], rel=1e-5)
    found = [solved(0.55).k11, solved(0.56).k11, solved(0.56).smallest, solved(0.7).k11, solved(0.7).smallest]
    np.testing.assert_allclose(found, list(want.values())[1:], rtol=1e-5)
    assert [bound_check(lam).right for lam in (0.555, 0.7, 1.0, 0.5)] == [True, False, False, False]
    with pytest.raises(InvalidInputError):
        solved(1.5)
