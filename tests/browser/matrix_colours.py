"""Colours of matrices in the browser, pixel by pixel, against those of numbers that the core computed."""

import numpy as np

from pages.shared.figures.theme import CIVIDIS, DIVERGING

STATE = """() => {
    const view = [...__kernex.views].find(v => v.root.isConnected), { x, y, side } = view.box, last = side - 1;
    const c = document.createElement('canvas').getContext('2d');
    const ink = text => { c.fillStyle = text; c.fillRect(0, 0, 1, 1);
        return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3) };
    return { ground: ink(view.inks().ground), side, panels: view.panels.map(p => {
        const c = p.base.getContext('2d'), box = p.base.getBoundingClientRect();
        return { row: [...c.getImageData(x, y + last, side, 1).data], column: [...c.getImageData(x + last, y, 1, side).data],
            inside: box.left >= 0 && box.right <= innerWidth && p.base.width >= x + side }; }) } }"""
DRAWN = """([width, dark]) => {
    const view = [...__kernex.views].find(v => v.root.isConnected);
    if (!view || innerWidth !== width || view.root.clientWidth > width) return false;
    const c = document.createElement('canvas').getContext('2d');
    c.fillStyle = view.inks().ground;
    c.fillRect(0, 0, 1, 1);
    return (c.getImageData(0, 0, 1, 1).data[0] < 128) === dark && view.panels[0].base.clientWidth === view.box.width;
}"""


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
