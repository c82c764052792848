"""The page Kernels in a real browser: the power of the entries is dragged in the picture, and the page follows."""

from tests.browser.script_runs import dragging

P = "p, in the picture"
MEAN = """
() => {
    const view = [...__kernex.views].find(each => each.root.isConnected), matrix = view.panels[0].matrix;
    let sum = 0, known = 0;
    for (let i = 1; i < matrix.size; i++) for (let j = 0; j < i; j++) {
        const value = matrix.at(i, j);
        if (value === value) { sum += value; known += 1; }
    }
    return {mean: sum / known, range: view.panels[0].range};
}
"""


def test_p_is_followed_in_the_browser_in_the_colours_of_its_own_values_and_then_said_exactly(visit):
    page = visit("kernels?data=Hits only")
    thumb = page.get_by_role("slider", name=P)
    assert page.get_by_role("slider").count() == 1  # once, at its picture
    assert thumb.input_value() == "1"
    before = page.evaluate(MEAN)
    with dragging(page, P, 0.4) as drawn:
        assert drawn >= 5
        followed, p = page.evaluate(MEAN), float(thumb.input_value())
        assert 0.3 < p < 0.6
        assert followed["mean"] < before["mean"] / 2
        assert followed["range"][1] < before["range"][1] / 2  # else all would be dark
    page.wait_for_url(f"**p={p:g}*")
    exact = page.evaluate(MEAN)
    assert abs(exact["mean"] - followed["mean"]) < 0.25 * exact["mean"]
    assert page.get_by_test_id("stException").count() == 0
