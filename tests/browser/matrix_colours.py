"""Colours of matrices in the browser, pixel by pixel, against those of numbers that the core computed."""

import time
from contextlib import contextmanager, suppress

import numpy as np

from pages.ui.figures.theme import CIVIDIS, DIVERGING
from tests.patience import PATIENCE

STATE = """() => {
    const view = [...__kernex.views].find(v => v.root.isConnected), { x, y, side } = view.box, ratio = devicePixelRatio;
    const [left, top, length] = [x, y, side].map(each => Math.round(each * ratio)), last = length - 1;
    const c = document.createElement('canvas').getContext('2d');
    const ink = text => { c.fillStyle = text; c.fillRect(0, 0, 1, 1);
        return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3) };
    return { ground: ink(view.inks().ground), side: length, panels: view.panels.map(p => {
        const c = p.base.getContext('2d'), box = p.base.getBoundingClientRect();
        return { row: [...c.getImageData(left, top + last, length, 1).data],
            column: [...c.getImageData(left + last, top, 1, length).data],
            inside: box.left >= 0 && box.right <= innerWidth && p.base.width >= left + length }; }) } }"""
DRAWN = """([width, ratio, dark]) => {
    const view = [...__kernex.views].find(v => v.root.isConnected);
    if (!view || innerWidth !== width || devicePixelRatio !== ratio || view.root.clientWidth > width) return false;
    const c = document.createElement('canvas').getContext('2d');
    c.fillStyle = view.inks().ground;
    c.fillRect(0, 0, 1, 1);
    const base = view.panels[0].base;
    return (c.getImageData(0, 0, 1, 1).data[0] < 128) === dark
        && base.clientWidth === view.box.width && base.width === Math.round(view.box.width * ratio);
}"""
SIZES = ((390, 1), (768, 1), (1024, 1), (1400, 1), (2560, 1), (700, 2))
"""Width of the window and pixels of the screen a pixel of it: the last is a window of 1,400 px at 200 per cent zoom."""


@contextmanager
def windows(page):
    """Yield what makes the window of a page so wide with so many pixels of the screen a pixel, and its theme so."""
    client = page.context.new_cdp_session(page)

    def size(width, ratio, scheme):
        page.emulate_media(color_scheme=scheme)
        metrics = {"width": width, "height": 900 // ratio, "deviceScaleFactor": ratio, "mobile": False}
        client.send("Emulation.setDeviceMetricsOverride", metrics)
        page.wait_for_function(DRAWN, arg=[width, ratio, scheme == "dark"], polling=100)
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    try:
        yield size
    finally:
        client.send("Emulation.clearDeviceMetricsOverride")
        client.detach()


def ramp(scale, ground):
    """Colours (256, 3) of a scale over the ground."""
    if scale.diverging:
        places, stops = (np.array(each, float) for each in zip(*DIVERGING, strict=True))
    else:
        stops = np.array([[int(c[k : k + 2], 16) for k in (1, 3, 5)] + [1.0] for c in CIVIDIS], float)
        places = np.linspace(0.0, 1.0, len(stops))
    stops = np.column_stack([np.interp(np.linspace(0.0, 1.0, 256), places, channel) for channel in stops.T])
    return stops[:, :3] * stops[:, 3:] + np.array(ground) * (1.0 - stops[:, 3:])


def check_edges(page, panels, order):
    """As `_check`; a picture that is still to be drawn in the colours of another theme is looked at again."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(AssertionError):
            return _check(page, panels, order)
        page.wait_for_timeout(100)
    return _check(page, panels, order)


def _check(page, panels, order):
    """The last row and column of every panel (values, scale) have their colours; return how many pixels were compared."""
    seen = page.evaluate(STATE)
    side, n, compared = seen["side"], len(order), 0
    share = (np.arange(side) + 0.5) * n / side
    cell = share.astype(int)
    # a pixel on the border of two cells may be that of either
    clear = np.abs(share - cell - 0.5) < 0.5 - 0.05 * n / side
    assert len(seen["panels"]) == len(panels)
    for shown, (values, scale) in zip(seen["panels"], panels, strict=True):
        assert shown["inside"]
        colours, last = ramp(scale, seen["ground"]), values[np.ix_(order, order)]
        for name, numbers in (("row", last[-1]), ("column", last[:, -1])):
            wanted = numbers[cell]
            there = clear & np.isfinite(wanted)
            code = np.rint((np.nan_to_num(wanted) - scale.low) / (scale.high - scale.low) * 255).clip(0, 255)
            got = np.array(shown[name], float).reshape(side, 4)[:, :3]
            # float32 may fall on the other side of a step of the colours
            off = np.abs(got - colours[code.astype(int)]).max(axis=1)[there]
            assert (off <= 6).all(), (name, off.max(), np.count_nonzero(off > 6), len(off))
            compared += int(there.sum())
    return compared
