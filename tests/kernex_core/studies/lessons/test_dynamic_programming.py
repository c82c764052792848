from fractions import Fraction

import numpy as np
import pytest

from kernex_core import Subsequence
from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.lessons import dynamic_programming as alignments
from kernex_core.studies.lessons import dynamic_programming as subsets
from kernex_core.studies.lessons import dynamic_programming as words


def test_lattice(known):
    wanted = known["5.anova"]["expected"]
    for s in range(4):
        made = subsets.lattice(s)
        assert made.value == sum(each.product for each in made.subsets) == made.right.values[0, s, -1]
    assert made.right.values[0].tolist() == wanted["lattice_rows_s0..3_cols_r0..3"]
    assert made.right.total == wanted["all_subsets"]
    assert made.printed.values[0].tolist() == wanted["printed_boundary"]
    assert made.printed.total == wanted["printed_sum"]
    assert made.subsets[0].columns == (0, 1, 2)


def test_more_columns_than_there_are_give_nothing():
    assert (subsets.lattice(4).value, subsets.lattice(4).subsets) == (0.0, ())


@pytest.mark.parametrize("decay", ["1/4", "1/2"])
def test_shared_words(known, decay):
    wanted = known["5.ssk"]["expected"]
    for pair in ("cat/car", "cat/cat", "cat/cta", "car/car"):
        made = words.shared_words(*pair.split("/"), float(Fraction(decay)))
        assert made.value == made.tables.total == float(Fraction(wanted[f"{pair} {decay}"]))
        assert made.value == sum(word.contribution for word in made.words)


def test_tables_of_the_bet(known):
    wanted = known["5.ssk"]["expected"]
    made = words.shared_words("cat", "car")
    assert made.tables.values[1].tolist() == [
        [float(Fraction(x)) for x in row] for row in wanted["table_Kp_cat_car_1/4"]
    ]
    assert made.cosine == pytest.approx(float(Fraction(wanted["cosine cat/car 1/4"])), rel=1e-12)
    assert words.right_bet() == 1


def test_a_word_that_is_too_short_shares_nothing():
    made = words.shared_words("c", "car")
    assert (made.value, made.cosine, made.words) == (0.0, None, ())
    for word in ("", "caterpillar"):
        with pytest.raises(InvalidInputError, match="1 to 8 letters"):
            words.shared_words(word, "car")


def test_alignments(known):
    wanted = known["5.local_alignment"]["expected"]
    made = alignments.alignments(*alignments.PROTEINS, 0.1)
    assert made.tables.total == pytest.approx(wanted["K_beta_0.1"], rel=1e-5)
    assert made.value == pytest.approx(made.tables.total, rel=1e-12)
    assert made.both_orders.total == pytest.approx(wanted["both_orders_wrong"], rel=1e-5)
    assert made.number == wanted["alignments"]
    np.testing.assert_allclose(made.tables.values[0], wanted["M_beta_0.1"], rtol=1e-5)
    at = [alignments.BETAS.index(beta) for beta in (0.1, 0.5, 2.0)]
    np.testing.assert_allclose(made.path[at], wanted["log_K_over_beta"], rtol=1e-5)
    assert made.score == made.best.total == wanted["smith_waterman"]
    assert alignments.alignments(*alignments.PROTEINS, 0.5).value == pytest.approx(
        wanted["K_beta_0.5"], rel=1e-5
    )


def test_an_empty_string_has_the_empty_alignment_alone():
    made = alignments.alignments("", "AACA", 0.1)
    assert (made.value, made.tables.total, made.number, made.score) == (1.0, 1.0, 1, 0.0)
    assert made.path.tolist() == [0.0] * len(alignments.BETAS)


def test_challenge(known):
    assert known["5.ssk"]["expected"]["cat/car = cat/cta at"] == "1/2"
    right = [words.check(decay).right for decay in (0.25, 0.49, 0.495, 0.5, 0.505, 0.51, 1.0)]
    assert right == [False, False, True, True, True, False, False]
    assert words.check(0.25).value == pytest.approx(0.5)
    assert "cta is nearer" in words.check(1.0).said
    # both words are as near to themselves, so that the cosine says the same
    assert len({Subsequence(length=2, decay=0.5).gram([word])[0, 0] for word in words.NEAR}) == 1
