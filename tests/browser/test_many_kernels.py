"""Many kernels in a real browser: three files with different items, covered, completed, weighed, kept, judged."""

import re

import numpy as np

from tests.browser.script_runs import click, rerunning


def files():
    """Three kernels of 24 items in two classes, each without four others, and the labels."""
    rng = np.random.default_rng(0)
    ids = [f"i{k:02d}" for k in range(24)]
    X = rng.normal(size=(24, 3)) + 1.5 * (np.arange(24) % 2)[:, None]
    made = []
    for v, name in enumerate(("first", "second", "third")):
        has = [k for k in range(24) if not 4 * v <= k < 4 * v + 4]
        Z = X[has] + 0.3 * rng.normal(size=(len(has), 3))
        K = np.exp(-((Z[:, None] - Z) ** 2).sum(axis=2) / 6.0)
        lines = [",".join(["", *(ids[k] for k in has)])]
        lines += [",".join([ids[k], *map(repr, row)]) for k, row in zip(has, K.tolist(), strict=True)]
        made.append((f"{name}.csv", "\n".join(lines)))
    made.append(
        ("labels.tsv", "id\tclass\n" + "".join(f"{name}\t{'ab'[k % 2]}\n" for k, name in enumerate(ids)))
    )
    return [{"name": name, "mimeType": "text/plain", "buffer": f"{text}\n".encode()} for name, text in made]


def test_kernels_with_different_items_are_completed_weighed_kept_and_judged(visit):
    page = visit("data")
    with rerunning(page):
        page.locator("input[type=file]").set_input_files(files())
    click(page.get_by_role("button", name="Add as new data set"))
    main, sidebar = page.get_by_test_id("stMain"), page.get_by_test_id("stSidebar")
    click(main.get_by_role("link", name="Complete together"))
    page.get_by_text("3 of 3 kernels lack 4 of 24 items").wait_for()
    page.get_by_text("Of 24 items first has 20; second has 20; third has 20.").wait_for()
    page.get_by_text("Every item is in 2 to 3 of 3 kernels").wait_for()
    coverage = page.get_by_test_id("stPlotlyChart").filter(has=page.locator(".heatmaplayer")).first
    assert coverage.locator(".ytick text").all_text_contents() == ["first", "second", "third"]
    page.get_by_text("certificate holds").first.wait_for()
    assert page.locator("figure").count() == 4  # two before and after
    click(page.get_by_role("button", name="Keep all and weigh them"))
    page.wait_for_url(re.compile("/many"))
    page.get_by_text("first, completed").first.wait_for()
    weigh = page.get_by_role("combobox", name=re.compile("Weights"))
    weigh.click()
    with rerunning(page):
        page.get_by_role("option", name="MKL").click()
    page.wait_for_url(re.compile("weigh=MKL"))
    slot = page.get_by_role("textbox", name="Keep this kernel as")
    kept = slot.input_value()
    assert kept.startswith("weighted sum, MKL")
    # judged: each kernel, and each combination with weights that are made inside the folds
    judged = page.get_by_test_id("stTable").filter(has_text="accuracy, %").first
    for name in ("first, completed alone", "third, completed alone", "sum", "MKL", "product"):
        row = judged.locator("tbody tr").filter(has=page.get_by_text(name, exact=True))
        assert 50 < float(re.search(r"[\d.]+", row.locator("td").nth(1).inner_text()).group()) <= 100
    click(page.get_by_role("tab", name="Learned weights"))
    page.get_by_text("Weights inside the folds").wait_for()
    page.get_by_text("Duality gap").first.wait_for()
    click(page.get_by_role("button", name="Keep this kernel").last)
    sidebar.get_by_text(kept).wait_for()
    click(sidebar.get_by_role("link", name="Evaluate"))
    row = page.get_by_test_id("stTable").first.locator("tbody tr").filter(has_text=kept)
    assert "leak" in row.inner_text()  # its weights have seen the labels of all items
    assert 50 < float(re.search(r"[\d.]+", row.locator("td").nth(1).inner_text()).group()) <= 100
    assert page.get_by_test_id("stException").count() == 0


def test_clear_all_is_for_the_pointer_and_backspace_for_the_keyboard(visit):
    page = visit("many?data=Three sources", width=1280, height=720)
    box = page.get_by_test_id("stMultiSelect").first
    clear = box.get_by_role("button", name="Clear all", include_hidden=True)
    assert not clear.is_visible()  # no stop of the Tab key on the way to the weights
    box.get_by_role("combobox").focus()
    with rerunning(page):
        page.keyboard.press("Backspace")
    assert box.get_by_text("noise", exact=True).count() == 0
    box.hover()
    with rerunning(page):
        clear.click()
    page.get_by_text("Choose at least two kernels.").wait_for()
