"""The module of linked matrices by itself, in a browser: numbers against numpy, pictures against pixels."""

import base64
import json

import numpy as np
import pytest
from playwright.sync_api import expect

from kernex_core import Diffusion, decompose_network, joint_path
from kernex_core.gram.order import dendrogram
from kernex_core.studies.completion.study import HiddenPairs
from pages.ui import payload
from pages.ui.figures.heatmap import common_scale
from pages.ui.figures.theme import ClassStyle
from tests.conftest import REPOSITORY
from tests.patience import MILLISECONDS, until

FOLDER = REPOSITORY / "pages" / "ui"
COLOURS = ["#000000", "#ffffff"]
MOUNT = """async ([head, carriers, width]) => {
    const module = await import('/matrices.js'), carrier = await import('/carrier.js');
    window.M = module; window.sent = [];
    for (const [k, base64] of carriers.entries()) {
        const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
        carrier.default({ data: bytes, parentElement: document.createElement('div') });
    }
    const host = document.querySelector('#host');
    host.style.width = width + 'px';
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    if (!root.querySelector('style')) {
        const style = document.createElement('style');
        style.textContent = await (await fetch('/matrices.css')).text();
        root.append(style);
    }
    const setTriggerValue = (name, value) => window.sent.push([name, value]);
    window.unmount = module.default({ data: head, parentElement: root, setTriggerValue });
    await new Promise(done => setTimeout(done, 120));
}"""


def served(page, name, body, kind):
    page.route(f"**/{name}", lambda route: route.fulfill(body=body, content_type=kind))


@pytest.fixture(scope="module")
def blank(chromium):
    context = chromium.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.set_default_timeout(MILLISECONDS)
    for name, kind in (
        ("matrices.js", "text/javascript"),
        ("carrier.js", "text/javascript"),
        ("matrices.css", "text/css"),
    ):
        served(page, name, (FOLDER / name).read_text(encoding="utf-8"), kind)
    served(page, "page.html", "<body style='margin:20px'><div id=host></div>", "text/html")
    page.goto("http://kernex.test/page.html")
    page.evaluate("async () => { window.M = await import('/matrices.js') }")
    yield page
    context.close()


def world(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    return X @ X.T


def mount(page, values, *, width=900, order=None, classes=None, tree=None, drag=None, extra=(), **head):
    n = len(values[0])
    order = np.arange(n) if order is None else np.asarray(order)
    names = sorted({c for c in classes or [] if c})
    items = payload.PanelItems(
        [f"item{i}" for i in range(n)],
        classes,
        names,
        [
            ClassStyle(name, 1, colour, "square")
            for name, colour in zip(names, ("#ff0000", "#00ff00", "#0000ff"), strict=False)
        ],
        order,
        tree,
    ).carrier()
    carriers = [payload.matrix(K, order) for K in values]
    panels = [
        {"title": f"K{k}", "note": "", "digest": c.digest, "low": -2.0, "high": 2.0, "ticks": ["−2", "0", "2"],
         "colours": COLOURS, "alt": f"matrix {k}"} for k, c in enumerate(carriers)
    ]  # fmt: skip
    made = {
        "panels": panels, "items": items.digest, "drag": drag, "chosen": [], "pair": None, "file": "test", "heading": "Test",
        "settings": "n = 40", "mark": "#ff00ff", "words": {}, **head,
    }  # fmt: skip
    data = [base64.b64encode(c.data).decode() for c in (items, *carriers, *extra)]
    page.evaluate(MOUNT, [made, data, width])
    return carriers


@pytest.fixture
def page(blank):
    yield blank
    blank.evaluate("() => { window.unmount?.(); window.unmount = null; __kernex.blobs.clear() }")


def floats(page, code, *given):
    return np.array(page.evaluate(f"([...given]) => Array.from({code})", list(given)), float)


def as_blob(carrier):
    length = int.from_bytes(carrier.data[:4], "little")
    head = json.loads(carrier.data[4 : 4 + length])
    start = -(-(4 + length) // 8) * 8
    return head, np.frombuffer(carrier.data[start:], payload.TYPES[head["kind"]])


def test_a_kernel_of_a_network_at_each_value_is_the_core_s(blank):
    B = np.zeros((14, 14))  # two components and two nodes without an edge
    for i, j in [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 0),
        (4, 5),
        (5, 6),
        (6, 7),
        (7, 4),
        (4, 6),
        (8, 9),
        (9, 10),
        (10, 11),
    ]:
        B[i, j] = B[j, i] = 1.0
    spectrum, taus = decompose_network(B), (0.0, 0.5, 8.0)
    x, U = spectrum.whole
    head, data = as_blob(payload.spectrum(U, np.array([Diffusion(tau=tau).weights(x) for tau in taus])))
    for at, tau in enumerate(taus):
        got = floats(
            blank, "M.weighted(new Float32Array(given[0]), 14, given[1].s, given[1].m, given[2])", data.tolist(), head, at
        )  # fmt: skip
        exact = Diffusion(tau=tau).on(spectrum)[np.tril_indices(14)]
        np.testing.assert_allclose(got, exact, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("scale", [1.0, 1e6])
@pytest.mark.parametrize("lam", [0.0, 0.3, 1.0])
def test_the_joint_kernel_of_the_factor_is_the_core_s(blank, lam, scale):
    A, T = (X @ X.T / 8 for X in np.random.default_rng(3).normal(size=(2, 12, 8)))
    path = joint_path(scale * A, T, nugget=0.1)
    exact = path.kernel(lam)
    head, data = as_blob(payload.factor(path))
    got = floats(
        blank,
        "M.joint(new Float32Array(given[0]), 12, given[1].s, given[1].sizes, given[2])",
        data.tolist(),
        head,
        lam,
    )
    np.testing.assert_allclose(got, exact[np.tril_indices(12)], rtol=2e-4, atol=1e-5 * np.abs(exact).max())


def test_written_numbers_keep_their_digits_and_a_real_minus(blank):
    cases = {
        (0.12345, 4): "0.1235", (-1264.2, 4): "−1,264", (123456.26, 6): "123,456",
        (1264.26, 6): "1,264.26", (0.5, 4): "0.5000", (0.0, 4): "0",
        (-0.00002, 3): "−2.00 × 10⁻⁵", (3.2e7, 2): "3.2 × 10⁷", (99.996, 4): "100.00",
    }  # fmt: skip
    for (value, digits), text in cases.items():
        got = blank.evaluate("([v, d]) => M.written(v, d)", [value, digits])
        assert got in (text, text.replace("100.00", "100.0"))
    assert blank.evaluate("() => M.written(NaN, 4)") == "unknown"


def tool(page, name):
    """A button of the menu of the pictures, which is opened for it."""
    menu = page.locator(".menu")
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()
    return page.get_by_role("button", name=name)


@pytest.mark.parametrize(
    ("width", "count", "in_a_row"),
    [
        (1180, 5, 5),
        (800, 5, 3),
        (400, 5, 2),
        (320, 5, 2),
        (280, 5, 1),
        (1180, 6, 3),
        (700, 2, 2),
        (700, 4, 4),
        (600, 4, 2),
    ],
)
def test_panels_wrap(blank, width, count, in_a_row):
    assert blank.evaluate("([w, c]) => M.columns(w, c)", [width, count]) == in_a_row


def test_frames_are_met_and_joined_by_lines(blank):
    matrices = [world(9, seed) for seed in range(3)]
    carrier = payload.frames(matrices, [0.0, 0.5, 1.0], 9)
    head, data = as_blob(carrier)
    # a step of u is at most `power` steps of the value
    half = max(power * size * (high - low) for low, high, size, power in head["codings"]) / 249 / 2
    assert half < max(map(np.ptp, matrices)) / 249  # no entry is far above the others
    for lam, exact in (
        (0.0, matrices[0]),
        (0.5, matrices[1]),
        (0.75, 0.5 * (matrices[1] + matrices[2])),
        (1.0, matrices[2]),
    ):
        got = floats(
            blank,
            "M.between({head: given[0], data: new Uint8Array(given[1])}, given[2])",
            head,
            data.tolist(),
            lam,
        )
        assert np.abs(got - exact[np.tril_indices(9)]).max() <= half + 1e-6


def test_a_diagonal_far_above_all_else_leaves_the_colours_of_a_frame_to_the_others(blank):
    """Each frame has codes of its own: at late times the entries of diffusion are a hundredth of what they were."""
    matrices = [
        scale * (world(60, 1) + 3.0 * far * np.eye(60))
        for scale, far in ((1.0, 30.0), (0.01, 0.0), (0.01, 900.0))
    ]
    head, data = as_blob(payload.frames(matrices, [0.0, 1.0, 2.0], 60))
    for lam, exact in enumerate(matrices):
        blob = "M.between({head: given[0], data: new Uint8Array(given[1])}, given[2])"
        got, right = floats(blank, blob, head, data.tolist(), float(lam)), exact[np.tril_indices(60)]
        scale = common_scale([exact])
        shown = np.abs(np.clip(got, scale.low, scale.high) - np.clip(right, scale.low, scale.high))
        assert shown.max() <= 0.05 * (scale.high - scale.low)


def test_the_empirical_map_is_the_core_s(blank):
    from kernex_core import empirical_map

    K = world(11)
    head, data = as_blob(payload.matrix(K, np.arange(11)))
    got = floats(
        blank,
        "M.empirical(new M.Matrix(given[0], new Float32Array(given[1])), given[2])",
        head,
        data.tolist(),
        0.4,
    )
    np.testing.assert_allclose(got, empirical_map(K, 0.4)[np.tril_indices(11)], rtol=1e-4)


@pytest.mark.parametrize("hidden", [[1, 4], []])
def test_the_picture_of_errors_is_the_core_s(blank, hidden):
    truth, J = world(8, 1), world(8, 2)
    truth[6], truth[:, 6] = np.nan, np.nan
    _, scale = HiddenPairs.of(truth, np.isin(np.arange(8), hidden)).error(J)
    head, data = as_blob(payload.matrix(truth, np.arange(8)))
    numbers = [None if np.isnan(v) else v for v in data.tolist()]
    truth_there = "new M.Matrix(given[0], new Float32Array(given[1].map(v => v ?? NaN)))"
    code = f"M.error(new Float32Array(given[2]), {truth_there}, given[3])"
    given = [head, numbers, J[np.tril_indices(8)].tolist(), hidden]
    got = np.array(blank.evaluate(f"(given) => Array.from({code}, v => v === v ? v : null)", given), float)
    np.testing.assert_allclose(got, (scale * J - truth)[np.tril_indices(8)], rtol=1e-4, atol=1e-5)


def canvas(page, panel=0, which=0):
    """Red channel (h, w) of a canvas."""
    made = page.evaluate(
        """([panel, which]) => {
        const c = document.querySelector('#host').shadowRoot.querySelectorAll('.stack')[panel].children[which];
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, red = new Uint8Array(d.length / 4);
        for (let k = 0; k < red.length; k++) red[k] = d[4 * k];
        let text = '';
        for (let k = 0; k < red.length; k += 32768) text += String.fromCharCode(...red.subarray(k, k + 32768));
        return [c.width, c.height, btoa(text)] }""",
        [panel, which],
    )
    return np.frombuffer(base64.b64decode(made[2]), np.uint8).reshape(made[1], made[0])


def square(page):
    """Left, top and side of the first panel's cells in the window."""
    edge = page.evaluate(
        """() => {
        const root = document.querySelector('#host').shadowRoot;
        const c = root.querySelector('.stack canvas').getBoundingClientRect();
        return [c.left, c.top, c.width, c.height, !!root.querySelector('.key button')] }"""
    )
    strip = 9 if edge[4] else 0
    return edge[0] + 5 + strip, edge[1] + 5 + strip, edge[2] - strip - 6


@pytest.mark.parametrize("width", [320, 480, 768, 1024, 1380])
def test_no_panel_is_cropped_at_any_width(page, width):
    n = 12
    K = np.full((n, n), -2.0)
    K[-1], K[:, -1] = 2.0, 2.0  # the last row and column are white on black
    mount(page, [K] * 5, width=width)
    panels = page.evaluate(
        """() => [...document.querySelector('#host').shadowRoot.querySelectorAll('figure')].map(
            f => { const r = f.getBoundingClientRect(); return [r.left, r.right, r.top] })"""
    )
    left = page.evaluate("() => document.querySelector('#host').getBoundingClientRect().left")
    assert len(panels) == 5
    assert all(a >= left - 0.5 and b <= left + width + 0.5 for a, b, _ in panels)
    for panel in range(5):
        pixels = canvas(page, panel)
        x, y, side = 5, 5, pixels.shape[1] - 6
        inner = pixels[y : y + side, x : x + side]
        cell = side // n
        assert inner[: side - cell - 2, : side - cell - 2].max() < 30
        assert inner[side - cell // 2, :].min() > 220
        assert inner[:, side - cell // 2].min() > 220


def test_a_click_tells_the_pair_and_the_tooltip_has_the_values(page):
    K, L = world(20, 1), world(20, 2)
    order = np.random.default_rng(0).permutation(20)
    mount(page, [K, L], order=order)
    x, y, side = square(page)
    row, column = 7, 3
    page.mouse.move(x + (column + 0.5) * side / 20, y + (row + 0.5) * side / 20)
    tip = page.locator(".tip")
    i, j = order[row], order[column]
    assert tip.locator(".id").all_inner_texts() == [f"item{i}", f"item{j}"]
    values = [float(t.replace("−", "-")) for t in tip.locator(".value b").all_inner_texts()]
    np.testing.assert_allclose(values, [K[i, j], L[i, j]], rtol=1e-3)
    page.mouse.click(x + (column + 0.5) * side / 20, y + (row + 0.5) * side / 20)
    assert page.evaluate("() => sent") == [["pair", [int(i), int(j)]]]


@pytest.mark.parametrize(
    ("value", "said"),
    [(123.4, "120"), (31.6, "32"), (3.2, "3"), (-3.2, "−3"), (0.4, "0"), (float("nan"), "unknown")],
)
def test_coded_values_are_said_with_the_digits_that_are_right(blank, value, said):
    head = {"kind": "u1", "low": 0, "high": 249, "size": 2, "digits": 2}  # one code is 1
    got = blank.evaluate("([h, v]) => new M.Matrix(h, new Uint8Array(3)).said(v)", [head, value])
    assert got == said


def test_panels_of_one_title_are_told_apart_by_their_notes(page):
    K = world(10)
    made = mount(page, [K, K, K])
    panels = [
        {"title": title, "note": note, "digest": c.digest, "low": -2.0, "high": 2.0, "ticks": ["−2", "0", "2"],
         "colours": COLOURS, "alt": "a"}
        for c, title, note in zip(made, "AAB", ("before", "completed", "before"), strict=True)
    ]  # fmt: skip
    mount(page, [K, K, K], panels=panels)
    page.locator(".grid").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".tip .value span").all_inner_texts() == ["A, before", "A, completed", "B"]
    expect(page.locator(".live")).to_contain_text("A, completed")


@pytest.mark.parametrize("n", [10, payload.FULL + 10])
def test_a_panel_of_another_s_bytes_leaves_its_unknown_items_out(page, n):
    K, unknown = world(n), [3, n - 1]
    (made,) = mount(page, [K])
    same = {"note": "", "digest": made.digest, "low": -2.0, "high": 2.0, "ticks": ["−2", "0", "2"],
            "colours": COLOURS, "alt": "a"}  # fmt: skip
    mount(page, [K], panels=[{"title": "all", **same}, {"title": "known", **same, "unknown": unknown}])
    got = page.evaluate(
        """n => [0, 1].map(k => { const m = [...__kernex.views][0].panels[k].matrix, out = [];
        for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out.push(m.at(i, j)); return out.map(String); })""",
        n,
    )
    whole, part = (np.array(values, float).reshape(n, n) for values in got)
    expected = whole.copy()
    expected[unknown], expected[:, unknown] = np.nan, np.nan
    np.testing.assert_array_equal(part, expected)
    np.testing.assert_allclose(whole, K, atol=1e-3)


def test_the_keyboard_moves_reads_and_chooses(page):
    mount(page, [world(10)], classes=["a"] * 5 + ["b"] * 5)
    page.locator(".grid").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".live")).to_contain_text("item6 · b")
    assert page.evaluate("() => sent.at(-1)") == ["pair", [6, 6]]
    said = page.locator(".live").inner_text()
    assert "item6 · b" in said
    assert "K0" in said
    for key in (" ", "ArrowDown", "ArrowDown", "ArrowLeft", " "):
        page.keyboard.press(key)
    # from (6, 6) to (8, 5): the items of its rows and columns
    assert page.evaluate("() => [sent.at(-1)[0], sent.at(-1)[1].sort()]") == ["picked", [5, 6, 7, 8]]
    before = page.evaluate("() => sent.length")
    for key in (" ", "ArrowDown", "Escape", " "):  # a block that is left is none
        page.keyboard.press(key)
    assert page.evaluate("() => sent.length") == before
    page.keyboard.press("+")
    page.wait_for_timeout(100)
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_be_hidden()


def test_a_class_strip_and_the_key_choose_a_class(page):
    classes = ["a", "b", "a", "b", "a", "b", None, "a"]
    order = np.array([0, 2, 4, 7, 1, 3, 5, 6])
    mount(page, [world(8)], classes=classes, order=order)
    x, y, side = square(page)
    page.mouse.click(x + side * 5 / 8, y - 6)
    page.get_by_role("button", name="a 4 items", exact=True).click()
    assert page.locator(".key button").all_inner_texts() == ["a\n4", "b\n3"]
    assert page.evaluate("() => sent") == [["picked", [1, 3, 5]], ["picked", [0, 2, 4, 7]]]


def test_a_brush_chooses_and_a_drag_zooms_all_panels(page):
    mount(page, [world(20), world(20, 1)])
    x, y, side = square(page)

    def drag(a, b):
        page.mouse.move(x + a[1] * side / 20, y + a[0] * side / 20)
        page.mouse.down()
        page.mouse.move(x + (a[1] + b[1]) / 2 * side / 20, y + (a[0] + b[0]) / 2 * side / 20)
        page.mouse.move(x + b[1] * side / 20, y + b[0] * side / 20)
        page.mouse.up()

    page.keyboard.down("Shift")
    drag((2.2, 2.2), (4.8, 5.8))
    page.keyboard.up("Shift")
    assert page.evaluate("() => sent") == [["picked", [2, 3, 4, 5]]]
    drag((10.1, 10.1), (14.9, 14.9))
    page.wait_for_function("() => { const at = [...__kernex.views][0].window; return at[1] - at[0] < 20 }")
    page.mouse.move(x + side * 0.1, y + side * 0.1)
    assert page.locator(".tip .id").first.inner_text() == "item10"
    second = page.locator(".stack canvas").nth(3).bounding_box()
    page.mouse.move(second["x"] + second["width"] * 0.95, second["y"] + second["width"] * 0.95)
    assert page.locator(".tip .id").first.inner_text() == "item14"
    told = "() => sent.filter(([name]) => name === 'pair').length"
    page.mouse.click(x + side / 2, y + side / 2)
    page.wait_for_function("() => sent.at(-1)[0] === 'pair'")
    # in the zoomed picture a double click returns, and chooses nothing
    page.mouse.dblclick(x + side / 2, y + side / 2)
    page.wait_for_function("() => { const at = [...__kernex.views][0].window; return at[1] - at[0] === 20 }")
    page.wait_for_timeout(500)
    assert page.evaluate(told) == 1
    page.mouse.move(x + side * 0.02, y + side * 0.02)
    assert page.locator(".tip .id").first.inner_text() == "item0"


def test_an_id_is_found_and_marked(page):
    mount(page, [world(30), world(30, 1)])
    before = canvas(page, 1, 1)
    page.locator(".menu summary").click()
    page.locator(".search").fill("item17")
    expect(page.locator(".hits")).to_have_text("1 found")
    until(lambda: not np.array_equal(canvas(page, 1, 1), before))
    page.locator(".search").press("Enter")
    assert page.locator(".tip .id").first.inner_text() == "item17"
    page.locator(".search").fill("nobody")
    assert page.locator(".hits").inner_text() == "none found"


def test_a_branch_of_the_dendrogram_chooses_its_items(page):
    X = np.array([0.0, 1.0, 3.0, np.nan, 9.0, 12.0, 25.0])
    tree = dendrogram(np.outer(X, X))  # item 3 is in no branch
    mount(page, [world(7)], order=tree.order, tree=tree)
    got = page.evaluate(
        "([t, o]) => M.branches(t, o).map(b => b.items.sort())",
        [
            [[*m, h] for m, h in zip(tree.merges.tolist(), tree.heights.tolist(), strict=True)],
            tree.order.tolist(),
        ],
    )
    assert got == [[0, 1], [0, 1, 2], [4, 5], [0, 1, 2, 4, 5], [0, 1, 2, 4, 5, 6]]
    box = page.locator(".stack canvas").first.bounding_box()
    width = box["width"] - 6
    order = tree.order.tolist()
    for branch, (merge, h) in enumerate(zip(got, tree.heights, strict=True)):
        places = sorted(order.index(i) for i in merge)
        x = box["x"] + 5 + width * (places[0] + places[-1] + 1) / 2 / 7
        page.mouse.click(x, box["y"] + 5 + 44 - h / tree.top * 42)
        name, chosen = page.evaluate("() => sent.at(-1)")
        assert (name, sorted(chosen)) == ("picked", merge), branch


def test_the_picture_follows_the_thumb_and_the_server_is_told_once(page):
    K, L = world(30, 1), world(30, 2)
    order = np.arange(30)
    a, b = payload.matrix(K, order), payload.matrix(L, order)
    drag = {"name": "λ", "label": "weight", "value": 0.5, "low": 0, "high": 1, "step": 0.005,
            "follows": [{"panel": 2, "kind": "mix", "of": [a.digest, b.digest], "note": "λ = {}"}]}  # fmt: skip
    mount(page, [K, L, 0.5 * (K + L)], drag=drag)
    box = page.locator(".range").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(40):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.4 * step / 39), box["y"] + box["height"] / 2)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    lam = float(page.locator(".range").input_value())
    assert page.evaluate("() => sent") == []
    assert page.evaluate("() => [...__kernex.views][0].frames") >= 20
    note = page.locator("figure").nth(2).locator("small").inner_text()
    assert note.startswith("λ = 0.")
    _, _, side = square(page)
    third = page.locator(".stack canvas").nth(5).bounding_box()
    page.mouse.up()
    assert page.evaluate("() => sent") == [["lam", lam]]
    page.mouse.move(third["x"] + 5 + side * 0.35, third["y"] + 5 + side * 0.75)
    ids = [int(t[4:]) for t in page.locator(".tip .id").all_inner_texts()]
    value = float(page.locator(".tip .value b").nth(2).inner_text().replace("−", "-"))
    assert value == pytest.approx(lam * K[ids[0], ids[1]] + (1 - lam) * L[ids[0], ids[1]], rel=2e-3)


@pytest.mark.parametrize(
    ("told", "answers", "seen"),
    [
        ([0.4, 0.3], [0.4, 0.3], [0.3, 0.3]),  # the answer to the first move comes after the second was told
        ([0.4, 0.3, 0.2], [0.3, 0.2], [0.2, 0.2]),  # one that was overtaken has no answer
        ([0.4, 0.5, 0.4], [0.4, 0.7], [0.4, 0.7]),
        ([0.4, 0.3], [0.7, 0.6], [0.7, 0.6]),  # the page has moved it since
    ],
)
def test_an_answer_to_an_earlier_move_does_not_take_back_what_came_after_it(page, told, answers, seen):
    K = world(10)
    a = payload.matrix(K, np.arange(10))
    drag = {"name": "λ", "label": "weight", "value": 0.5, "low": 0, "high": 1, "step": 0.1,
            "follows": [{"panel": 1, "kind": "mix", "of": [a.digest, a.digest], "note": "λ = {}"}]}  # fmt: skip
    mount(page, [K, K], drag=drag)
    for lam in told:
        page.evaluate(
            """lam => {
                const range = document.querySelector('#host').shadowRoot.querySelector('.range');
                range.value = lam;
                range.dispatchEvent(new Event('input'));
                range.dispatchEvent(new Event('change'));
            }""",
            lam,
        )
    assert page.evaluate("() => sent") == [["lam", lam] for lam in told]
    found = []
    for value in answers:
        mount(page, [K, K], drag={**drag, "value": value})
        found.append(float(page.locator(".range").input_value()))
    assert found == seen
    assert page.locator(".drag .shown").inner_text() == f"λ = {seen[-1]:.1f}"


def test_a_sum_of_large_matrices_follows_in_their_blocks(page):
    n = 700
    K, L = world(n, 1), world(n, 2)
    a, b = payload.matrix(K, np.arange(n)), payload.matrix(L, np.arange(n))
    drag = {"name": "λ", "label": "weight", "value": 0.5, "low": 0, "high": 1, "step": 0.01,
            "follows": [{"panel": 2, "kind": "mix", "of": [a.digest, b.digest], "note": "λ = {}"}]}  # fmt: skip
    mount(page, [K, L, 0.5 * (K + L)], drag=drag)
    got = page.evaluate("""() => { const v = [...__kernex.views][0]; v.move(0.25); v.follow(); const m = v.panels[2].matrix;
        return [m.size, m.head.ordered, ...[0, 1].map(k => v.panels[k].matrix.at(300, 40)), m.at(300, 40)] }""")
    assert got[:2] == [payload.BLOCKS, True]
    assert got[4] == pytest.approx(0.25 * got[2] + 0.75 * got[3], rel=1e-5, abs=1e-5)


def test_a_window_of_a_large_matrix_is_asked_for_and_shown_exactly(page):
    n = 1000
    rng = np.random.default_rng(4)
    K = rng.normal(size=(n, n))
    K = K + K.T
    carriers = mount(page, [K])
    assert len(carriers[0].data) < 200_000
    x, y, side = square(page)
    page.mouse.move(x + side / 2, y + side / 2)
    assert "mean of a block" in page.locator(".tip .value b").inner_text()
    page.locator(".grid").focus()
    for _ in range(4):
        page.keyboard.press("+")
    page.wait_for_timeout(500)  # nothing is asked for while the picture still moves
    page.wait_for_function("() => sent.at(-1)?.[0] === 'window'")
    name, corner = page.evaluate("() => sent.at(-1)")
    assert name == "window"
    exact = payload.window(K, np.arange(n), corner)
    r0, r1, c0, c1 = corner
    _, data = as_blob(exact)
    np.testing.assert_allclose(data.reshape(r1 - r0, c1 - c0), K[r0:r1, c0:c1], rtol=1e-6)


def test_unknown_entries_show_the_hatch_and_say_so(page):
    K = world(10)
    K[3], K[:, 3] = np.nan, np.nan
    mount(page, [world(10), K])
    x, y, side = square(page)
    page.mouse.move(x + side * 0.35, y + side * 0.35)
    assert page.locator(".tip .value b").last.inner_text() == "unknown"
    assert page.locator(".key").inner_text() == "unknown"
    with page.expect_download() as download:
        tool(page, "SVG").click()
    assert ">unknown</text>" in download.value.path().read_text(encoding="utf-8")
    mount(page, [world(10)] * 2)
    assert page.locator(".key").is_hidden()


def test_exports_hold_title_settings_and_every_panel(page):
    hostile = "</text><script>alert(1)</script>"
    mount(page, [world(10), world(10, 1)], classes=["a", "a", hostile] * 3 + [None], heading=hostile)
    with page.expect_download() as download:
        tool(page, "SVG").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert download.value.suggested_filename == "test.svg"
    assert text.count("<image ") == 2
    assert "n = 40" in text
    assert "<script>" not in text
    import xml.etree.ElementTree as ET

    said = [each.text for each in ET.fromstring(text).iter("{http://www.w3.org/2000/svg}text")]
    assert said[-4].startswith("</text>")
    assert said[-3:] == ["3", "a", "6"]
    with page.expect_download() as download:
        tool(page, "PNG").click()
    data = download.value.path().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == 2 * (2 * 260 + 18 + 36)


def test_leaving_destroys_the_view(page):
    mount(page, [world(10)])
    assert page.evaluate("() => __kernex.views.size") == 1
    page.evaluate("() => window.unmount()")
    assert page.evaluate("() => __kernex.views.size") == 0
    assert (
        page.evaluate("() => document.querySelector('#host').shadowRoot.querySelectorAll('.matrices').length")
        == 0
    )


def test_a_view_that_comes_before_its_code_waits_for_it_unless_it_has_left(page):
    served(page, "view.js", (FOLDER / "view.js").read_text("utf-8"), "text/javascript")
    served(page, "again.js", (FOLDER / "matrices.js").read_text("utf-8"), "text/javascript")
    mount(page, [world(10)])
    found = page.evaluate("""async () => {
        window.unmount();
        const stub = await import('/view.js'), before = __kernex.show, shown = [];
        delete __kernex.show;
        const left = stub.default({ data: 'left', get parentElement() { shown.push('left'); } });
        const stays = stub.default({ data: null, get parentElement() { shown.push('stays'); throw new Error('drawn'); } });
        left();
        const early = [...shown];
        try { await import('/again.js'); } catch (error) { shown.push(error.message); }
        const registered = typeof __kernex.show;
        __kernex.show = before;
        stays();
        return [early, shown, registered];
    }""")
    assert found == [[], ["stays", "drawn"], "function"]


def test_two_fingers_zoom_all_panels_around_what_lies_between_them(page):
    mount(page, [world(40), world(40, 1)])
    x, y, side = square(page)
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})

    def touch(kind, *fingers):
        points = [{"x": x + a * side, "y": y + b * side, "id": k} for k, (a, b) in enumerate(fingers)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    try:
        touch("touchStart", (0.45, 0.5))
        touch("touchStart", (0.45, 0.5), (0.55, 0.5))
        for step in range(1, 11):
            touch("touchMove", (0.45 - 0.02 * step, 0.5), (0.55 + 0.02 * step, 0.5))
        touch("touchEnd")
        page.wait_for_function(
            "() => { const at = [...__kernex.views][0].window; return at[1] - at[0] <= 10 }"
        )
        r0, r1, c0, c1 = page.evaluate("() => [...__kernex.views][0].window")
        assert r1 - r0 == c1 - c0 == pytest.approx(40 * 0.1 / 0.5, abs=2)
        assert r0 <= 20 <= r1
        assert c0 - 4 <= 20 <= c1 + 4
        assert page.evaluate("() => sent") == []  # nothing is chosen by it
    finally:
        client.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        client.detach()


def test_colours_stay_while_the_thumb_moves_unless_each_picture_has_its_own_and_play_runs_to_the_end(page):
    K, L = world(30, 1), 3.0 * world(30, 2)
    order = np.arange(30)
    a, b = payload.matrix(K, order), payload.matrix(L, order)
    drag = {"name": "λ", "label": "weight", "value": 0.5, "low": 0, "high": 1, "step": 0.01,
            "follows": [{"panel": 2, "kind": "mix", "of": [a.digest, b.digest], "note": "λ = {}"}]}  # fmt: skip
    mount(page, [K, L, 0.5 * (K + L)], drag=drag)
    ranges = "() => [...__kernex.views][0].panels.map(p => p.range)"
    move = "lam => { const v = [...__kernex.views][0]; v.move(lam); v.follow() }"
    page.evaluate(move, 1.0)
    assert page.evaluate(ranges)[2] == [-2, 2]
    page.locator(".menu summary").click()
    page.locator(".menu input[type=checkbox]").check()
    page.evaluate(move, 0.0)
    off = L[np.tril_indices(30, -1)]
    low, high = page.evaluate(ranges)[2]
    assert np.mean(off < low) == pytest.approx(0.02, abs=0.01)
    assert np.mean(off > high) == pytest.approx(0.015, abs=0.01)
    page.locator(".menu input[type=checkbox]").uncheck()
    assert page.evaluate(ranges)[2] == [-2, 2]
    page.evaluate("() => { [...__kernex.views][0].dragging = false; window.sent.length = 0 }")
    x, y, side = square(page)
    page.locator(".play").click()
    page.wait_for_function("() => window.sent.length")
    assert page.evaluate("() => sent") == [["lam", 1]]
    assert page.locator("figure small").nth(2).inner_text() == "λ = 1.00"
    page.mouse.move(x + side * 0.5, y + side * 0.1)
    shown = page.locator(".tip .value b").all_inner_texts()
    assert shown[2] == shown[0]  # the tooltip follows
    # it moves there, in as many pictures as the machine can draw
    assert page.evaluate("() => [...__kernex.views][0].frames") > 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_at_200_per_cent_zoom_no_panel_is_cropped(page, scheme):
    n = 12
    K = np.full((n, n), -2.0)
    K[-1], K[:, -1] = 2.0, 2.0
    client = page.context.new_cdp_session(page)
    page.emulate_media(color_scheme=scheme)
    # a browser zoom halves the viewport in CSS pixels and doubles the pixels of each
    client.send(
        "Emulation.setDeviceMetricsOverride",
        {"width": 700, "height": 450, "deviceScaleFactor": 2, "mobile": False},
    )
    try:
        mount(page, [K] * 5, width=640)
        for panel in range(5):
            pixels = canvas(page, panel)
            x, side = 10, pixels.shape[1] - 12
            inner, cell = pixels[x : x + side, x : x + side], side // n
            assert inner[: side - cell - 4, : side - cell - 4].max() < 30
            assert inner[side - cell // 2, :].min() > 220
            assert inner[:, side - cell // 2].min() > 220
    finally:
        client.send("Emulation.clearDeviceMetricsOverride")
        client.detach()
