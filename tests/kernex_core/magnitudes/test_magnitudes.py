"""At 1e-300, 1e-150, 1, 1e150, 1e300: equal up to the scale, or refused in one sentence; never another number in silence."""

import inspect
import warnings

import numpy as np
import pytest

import kernex_core as kx
from kernex_core.base.validation import (
    SMALLEST,
    check_digits_kept,
    length,
    power_of_ten,
    unit_of,
    units_of_columns,
)
from tests.kernex_core.magnitudes.kernels_of_samples import SAMPLES
from tests.kernex_core.magnitudes.law import POWERS, found, kept
from tests.kernex_core.magnitudes.learned import LEARNED
from tests.kernex_core.magnitudes.matrices import MATRICES
from tests.kernex_core.magnitudes.refused import REFUSED

LAWS = {**SAMPLES, **MATRICES, **LEARNED}

CATALOGUES = (
    "KERNELS", "REPAIRS", "SCHEMES", "LEARNERS", "EDGE_METHODS", "WEIGHTINGS", "VIEW_COMPLETIONS", "IMPUTATIONS",
    "MAPS", "GROUPINGS",
)  # fmt: skip
"""Whose members take matrices or vectors: each has a law."""
WITHOUT = {
    "catalogues of data, formats and tables, which are asked by other functions": {
        "DATASETS", "FORMATS", "PAPER_TABLES", "PUBLIC_DATASETS", "fetch_dataset", "load_dataset", "kernels_for",
        "view_completion", "drawn_views",
    },
    "errors, notes, settings and choices": {
        "InvalidInputError", "KernexError", "NotPositiveSemidefiniteError", "TooLargeError", "Note", "CrossValidation",
        "EdgeConfig", "MapConfig", "MklConfig", "NewNodesConfig", "PairsConfig", "Seen", "Selection", "Together",
        "TournamentConfig",
        "cost_of", "lam_of",
    },
    "parts of calls, whose values come of functions that have a law": {
        "BroughtSum", "Center", "CentredSquares", "ChosenItems", "ColumnsByLabels", "Complete", "CompletePairs", "Copies",
        "Components", "CosineNormalize", "Defaults", "FeaturesOnNetwork", "GaussianOfDistance", "Hide",
        "ImputedKernel", "InverseDistance", "LearnedSum", "Margin", "MatchedFeatures", "Matching",
        "MeanNormalize", "NodeColumns", "PreparedFeatures", "Product", "Protocol", "ReversedDistance",
        "WeightedSum", "completed_kernel", "evaluation_state",
        "fold_reliability", "last_state", "marked", "match_features", "nothing_known", "regularized_kernel",
        "verdict_sentence",
    },
    "laws that stand with their own tests": {"complete_hits", "complete_pairs", "hide_pairs"},
    "results, whose functions have a law": {
        "CompletedHits", "CompletedPairs", "MissedPair", "NextPair",
        "Alignment", "AlignmentWeights", "Approximation", "CompletedViews", "Diagnosis", "Explanation", "Extrapolation",
        "HealthReport", "JointPath", "Judgement", "KmerWeights", "LleKernel", "LogisticFit", "ManyJudgement", "MapView",
        "MklResult", "NetworkSpectrum", "NumberJudgement", "PreparedMap", "PsdRepair", "Reliability", "RidgePath",
        "ViewErrors",
    },
    "labels, strings and graphs, which have no unit": {
        "Labels", "Sequences", "balanced_loss", "explain_pair", "fit_markov_chain", "fit_profile", "join_labels",
        "read_labels", "read_substitution_matrix",
    },
    "probabilities, which sum to 1, and decisions that are counted": {
        "MarkovChain", "ProfileHMM", "Permuted", "compare_all", "compare_numbers", "compare_with",
        "judged_verdict", "paper_tests", "reliability", "tournament", "yates_p",
    },
    "a model and its file, which hold what was trained": {
        "Model", "load_model", "predict_csv", "save_model", "train_model",
    },
}  # fmt: skip
"""Public names without a law, and why."""


def covered(name):
    return any(title.partition(",")[0].rpartition(":")[2] == name for title in LAWS)


def members():
    for catalogue in CATALOGUES:
        for member in getattr(kx, catalogue):
            if catalogue == "KERNELS" and member.data_kind in ("sequences", "graphs"):
                continue  # letters and labels have no unit
            own = member.name if catalogue in ("VIEW_COMPLETIONS", "MAPS", "GROUPINGS") else None
            yield f"{catalogue}:{own or (member if inspect.isclass(member) else type(member)).__name__}"


def test_every_public_name_has_its_law_or_a_reason():
    without = [name for names in WITHOUT.values() for name in names]
    of_letters = {kind.__name__ for kind in kx.KERNELS if kind.data_kind in ("sequences", "graphs")}
    open_names = {
        name
        for name in kx.__all__
        if not covered(name) and name not in without and name not in CATALOGUES and name not in of_letters
        # what a page does, of functions that have a law
        if not getattr(getattr(kx, name), "__module__", "").startswith("kernex_core.studies")
    }
    assert open_names == set()
    assert [name for name in without if covered(name)] == []
    assert set(without) <= set(kx.__all__)


def test_every_member_of_a_catalogue_has_its_law():
    assert {
        member for member in members() if member not in {title.partition(",")[0] for title in LAWS}
    } == set()
    tuples = {name for name in kx.__all__ if name.isupper()}
    assert (
        tuples - set(CATALOGUES)
        <= WITHOUT["catalogues of data, formats and tables, which are asked by other functions"]
    )


@pytest.mark.parametrize("title", LAWS)
@pytest.mark.no_cover
def test_the_law_holds_or_it_is_refused(title):
    law = LAWS[title]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        base = found(law, 0)
        assert not isinstance(base, str), base
        refused = []
        for power in POWERS:
            made = base if power == 0 else found(law, power)
            if isinstance(made, str):
                refused.append(power)
                assert len(made) > 20
                continue
            for (_, exponent), values, at_one in zip(law.reads.items(), made, base, strict=True):
                assert kept(values, at_one, exponent, power, law.rtol) == "", f"{title} at 1e{power}"
    assert tuple(refused) == REFUSED.get(title, ())


def test_what_is_refused_belongs_to_a_law():
    assert set(REFUSED) <= set(LAWS)


def test_laws_are_of_numbers_that_are_not_all_zero():
    """A law of zeros would hold whatever happened to its digits."""
    for title, law in LAWS.items():
        if title.startswith(("mkl,", "judg", "complete_views", "EDGE", "rank_", "predict_")):
            continue  # asked above
        for values in found(law, 0):
            if values.dtype.kind == "f" and values.ndim == 2 and values.size:
                assert np.nanmax(np.abs(values)) > 1e-3, title


def test_what_the_issue_named():
    made = kx.repair_psd(1e-200 * np.array([[2.0, -3.0], [-3.0, 2.0]]), "clip")
    assert made.distance == pytest.approx(1e-200)
    points = 1e-200 * np.array([[0.0], [1.0], [2.0]])
    np.testing.assert_array_equal(kx.Gaussian().gram(points)[0], kx.Gaussian().gram(1e200 * points)[0])
    assert kx.diagnose(1e-200 * np.array([[2.0, 1.0], [1.0, 2.0]]), ["a", "b"]).alignment == pytest.approx(
        1.0
    )


@pytest.mark.parametrize("power", [-1070, -1022, -700, -1, 0, 1, 2, 700, 1022])
def test_a_unit_is_a_power_of_4_that_rounds_nothing(power):
    values = np.array([[0.75, -1.0], [np.nan, 0.0]]) * 2.0**power
    unit = unit_of(values)
    mantissa, exponent = np.frexp(unit)
    assert mantissa == 0.5
    assert exponent % 2 == 1
    np.testing.assert_array_equal(values / unit * unit, values)
    if power > -1022:
        assert 1.0 <= np.nanmax(np.abs(values / unit)) < 4.0
        np.testing.assert_array_equal(units_of_columns(values[:, :1]), unit_of(values[:, :1]))


def test_lengths_of_any_size():
    assert length([3e-320, 4e-320]) == pytest.approx(5e-320, rel=1e-3)
    assert length([3e300, -4e300]) == 5e300
    assert length(np.zeros((2, 2))) == 0.0
    assert unit_of(np.full(3, np.nan)) == unit_of() == 1.0


def test_digits_that_would_be_lost_are_refused():
    check_digits_kept(power_of_ten(0.0), "It", "Scale it")
    check_digits_kept(power_of_ten(SMALLEST), "It", "Scale it")
    with pytest.raises(kx.InvalidInputError, match=r"digits.*1e-400.*Scale it"):
        check_digits_kept(-400.0, "It", "Scale it")
