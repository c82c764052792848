import numpy as np

from kernex_core.studies.orthogonal_patterns import ALL_POINTS, TRAIN_ONLY, OrthogonalConfig
from pages.shared.views import papers_orthogonal

PATH = "papers/orthogonal.py"


def test_the_table_is_measured_at_once_and_shown_beside_what_is_printed(open_page_test):
    at = open_page_test(PATH)
    assert not at.error
    table = at.table[0].value
    assert table["published"].iloc[0] == "36 :gray[± 13]"
    assert len(table[ALL_POINTS]) == len(table[TRAIN_ONLY]) == 11
    assert (
        table["difference "].str.contains("outside").sum() > table["difference"].str.contains("outside").sum()
    )
    assert any("20 of 20 trials" in caption.value for caption in at.caption)
    assert any("every margin was hard" in caption.value for caption in at.caption)


def test_the_seed_moves_the_measured_numbers_only(open_page_test):
    at = open_page_test(PATH)
    before = at.table[0].value
    at.number_input(key="papers.orthogonal.seed").set_value(500).run()
    after = at.table[0].value
    assert list(before["published"]) == list(after["published"])
    assert list(before[ALL_POINTS]) != list(after[ALL_POINTS])


def test_the_toy_finds_feature_1_when_p_falls(open_page_test):
    at = open_page_test(PATH)
    for p, f in ((0.1, "0.743"), (0.5, "0.130"), (1.0, "0.0008")):
        at.slider(key="toy").set_value(p).run()
        assert any(f"**f = {f}**" in text.value for text in at.markdown)


def test_one_trial_has_no_spread():
    found = papers_orthogonal.table_1._function(OrthogonalConfig(trials=1))
    assert np.isnan(papers_orthogonal.limits(found, ALL_POINTS)).all()
    assert papers_orthogonal.inside(found, ALL_POINTS) == 0


def test_the_script_and_the_download_hold_the_table(capsys):
    exec(papers_orthogonal.script(OrthogonalConfig(trials=2)), {})
    assert TRAIN_ONLY in capsys.readouterr().out
    found = papers_orthogonal.table_1._function(OrthogonalConfig(trials=2))
    rows = papers_orthogonal.rows(found)
    assert len(rows) == 11 + 11 + 11 + 1
    assert rows[0]["published"] == 0.36
