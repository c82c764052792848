/** A frame says only what differs from the picture: "readings", and per "panel" or "panel/mark" what is other there. */
function patched(picture, frame) {
  const panels = picture.panels.map((panel, k) => ({ ...panel, ...frame[k], marks: panel.marks.map((mark, m) => ({ ...mark, ...frame[`${k}/${m}`] })) }));
  return { panels, readings: frame.readings ?? picture.readings };
}

function nearest(stops, value) {
  let best = 0;
  stops.forEach((stop, k) => { if (Math.abs(stop - value) < Math.abs(stops[best] - value)) best = k; });
  return best;
}

function axes(svg, panel, box, X, Y) {
  const { left, top, width, height, scale } = box;
  svg.append(drawn("rect", { x: left, y: top, width, height, fill: "none", stroke: INKS.edge }));
  const word = (x, y, text, more) => { const made = drawn("text", { x, y, fill: INKS.muted, ...more }); made.textContent = text; svg.append(made); };
  for (const [value, text] of panel.x.ticks) {
    svg.append(drawn("path", { d: `M${X(value)} ${top + height}v4`, stroke: INKS.muted }));
    word(X(value), top + height + 16 * scale, text, { "text-anchor": "middle" });
  }
  for (const [value, text] of panel.y.ticks) {
    svg.append(drawn("path", { d: `M${left - 4} ${Y(value)}h4`, stroke: INKS.muted }));
    word(left - 7, Y(value) + 4 * scale, text, { "text-anchor": "end" });
  }
  word(left + width / 2, top + height + 33 * scale, panel.x.title, { "text-anchor": "middle" });
  if (panel.y.title) word(0, 0, panel.y.title, { "text-anchor": "middle", transform: `translate(${left - 34 * scale} ${top + height / 2}) rotate(-90)` });
}

/** Outlines in a square of side 2 about 0, scaled by half the size of a point. */
const SHAPES = {
  circle: "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z", square: "M-.9 -.9H.9V.9H-.9Z", diamond: "M0 -1.25L1.25 0L0 1.25L-1.25 0Z",
  "triangle-up": "M0 -1.2L1.15 .9H-1.15Z", "triangle-down": "M0 1.2L1.15 -.9H-1.15Z", x: "M-1 -1L1 1M-1 1L1 -1", cross: "M0 -1.1V1.1M-1.1 0H1.1",
};

const MARKS = {
  /** A line through x, y; `closed` and `fill` make an area of it; a gap is null. */
  line(mark, group, X, Y) {
    let d = "", pen = "M";
    mark.x.forEach((x, k) => {
      if (x === null || mark.y[k] === null) { pen = "M"; return; }
      d += `${pen}${X(x).toFixed(2)} ${Y(mark.y[k]).toFixed(2)}`;
      pen = "L";
    });
    group.append(drawn("path", {
      d: d + (mark.closed && d ? "Z" : ""), fill: mark.fill ? ink(mark.colour) : "none", "fill-opacity": mark.fill, stroke: ink(mark.colour),
      "stroke-width": mark.width, "stroke-dasharray": mark.dash, "stroke-linejoin": "round", "vector-effect": "non-scaling-stroke",
    }));
    if (mark.name && mark.x.length) {
      const k = mark.name_at ?? mark.x.length - 1, made = drawn("text", { x: X(mark.x[k]) + (mark.shift?.[0] ?? 5), y: Y(mark.y[k]) + (mark.shift?.[1] ?? -5), fill: written(mark.colour), "text-anchor": mark.anchor, class: "halo" });
      made.textContent = mark.name;
      group.parentNode.append(made);
    }
  },
  /** Straight pieces from (x, y) to (x1, y1). */
  segments(mark, group, X, Y) {
    mark.x.forEach((x, k) => group.append(drawn("path", {
      d: `M${X(x)} ${Y(mark.y[k])}L${X(mark.x1[k])} ${Y(mark.y1[k])}`, stroke: ink(at(mark.colour, k)), "stroke-width": at(mark.width, k),
      "stroke-dasharray": mark.dash, "stroke-linecap": "round", fill: "none",
    })));
  },
  /** Upright bars from `base` to y, `wide` in units of x; ids make them clickable. */
  bars(mark, group, X, Y) {
    mark.x.forEach((x, k) => {
      const a = Y(at(mark.base ?? 0, k)), b = Y(mark.y[k]), half = Math.abs(X(mark.wide / 2) - X(0));
      group.append(item(drawn("rect", {
        x: X(x) - half, y: Math.min(a, b), width: 2 * half, height: Math.max(Math.abs(a - b), 0.5), fill: ink(at(mark.colour, k)), "fill-opacity": mark.opacity,
      }), mark, k));
    });
  },
  points(mark, group, X, Y, box) {
    mark.x.forEach((x, k) => {
      const size = (at(mark.size, k) / 2) * box.scale, shape = at(mark.marker, k), thin = shape === "x" || shape === "cross";
      const made = drawn("g", { transform: `translate(${X(x)} ${Y(mark.y[k])})`, "data-x": x, "data-y": mark.y[k] });
      const colour = ink(at(mark.colour, k)), open = at(mark.open, k);
      made.append(drawn("path", {
        d: SHAPES[shape] ?? SHAPES.circle, transform: `scale(${size})`, fill: thin ? "none" : open ? INKS.ground : colour, stroke: open || thin ? colour : INKS.ground,
        "stroke-width": open || thin ? 2 : 1, "vector-effect": "non-scaling-stroke",
      }));
      const ring = at(mark.ring, k);
      if (ring) made.prepend(drawn("circle", { r: size + 4, fill: "none", stroke: ink(ring), "stroke-width": 2 }));
      if (mark.ids) made.prepend(drawn("circle", { r: Math.max(size + 5, 12), fill: "transparent" }));
      const text = mark.labels && at(mark.labels, k);
      if (text) {
        const word = drawn("text", { y: mark.inside ? 4 * box.scale : -size - 5, "text-anchor": "middle", fill: mark.inside ? ink(at(mark.ink, k) ?? "#fff") : INKS.ink, "font-weight": mark.inside ? 600 : 400 });
        word.textContent = text;
        made.append(word);
      }
      group.append(item(made, mark, k));
    });
  },
  text(mark, group, X, Y, box) {
    mark.x.forEach((x, k) => {
      const made = drawn("text", { x: X(x), y: Y(mark.y[k]) + (mark.middle ? 4 * box.scale : 0) + (mark.up ? -mark.up * box.scale : 0), "text-anchor": mark.anchor, fill: written(at(mark.colour, k)), "font-weight": mark.bold ? 600 : 400, "font-size": mark.size ? mark.size * box.scale : undefined, class: "halo" });
      made.textContent = at(mark.text, k);
      group.append(mark.ids ? item(made, mark, k) : made);
    });
  },
  /** Cells of a table: rectangles with a number in them, one of `colours` each, in units of the axes. */
  cells(mark, group, X, Y, box) {
    mark.x.forEach((x, k) => {
      const wide = Math.abs(X(1) - X(0)), high = Math.abs(Y(1) - Y(0));
      const made = drawn("g", { transform: `translate(${X(x)} ${Y(mark.y[k])})`, "data-x": x, "data-y": mark.y[k] });
      made.append(drawn("rect", { x: -wide / 2 + 1, y: -high / 2 + 1, width: wide - 2, height: high - 2, rx: 3, fill: ink(at(mark.colour, k)), "fill-opacity": at(mark.opacity, k) ?? 1, stroke: at(mark.ring, k) ? ink(at(mark.ring, k)) : "none", "stroke-width": 2.5 }));
      const word = drawn("text", { y: 4 * box.scale, "text-anchor": "middle", fill: ink(at(mark.ink, k)) });
      word.textContent = at(mark.text, k);
      made.append(word);
      group.append(item(made, mark, k));
    });
  },
  /** A field of codes, row by row from the top: 0 to 250 through `colours`, spread over the whole panel. */
  field(mark, group, X, Y, box) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [mark.columns, mark.rows];
    const pixels = new ImageData(mark.columns, mark.rows), codes = atob(mark.codes);
    for (let k = 0; k < codes.length; k += 1) {
      const colour = mark.colours[codes.charCodeAt(k)];
      pixels.data.set(colour, 4 * k);
    }
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    group.append(drawn("image", { x: box.left, y: box.top, width: box.width, height: box.height, href: canvas.toDataURL(), preserveAspectRatio: "none", opacity: mark.opacity }));
  },
};

/** What can be clicked is named, and reached by keyboard. */
function item(made, mark, k) {
  const name = at(mark.ids ?? null, k);
  if (name === null || name === undefined) return made;
  for (const [attribute, value] of Object.entries({ "data-id": name, tabindex: 0, role: "button", "aria-label": at(mark.says ?? mark.ids, k), "data-move": mark.movable ? 1 : 0 })) made.setAttribute(attribute, value);
  made.classList.add("item");
  const title = drawn("title");
  title.textContent = at(mark.says ?? mark.ids, k);
  made.append(title);
  return made;
}

const VIEWS = new WeakMap();

export default function (component) {
  const { parentElement } = component;
  const view = VIEWS.get(parentElement) ?? new View(parentElement);
  VIEWS.set(parentElement, view);
  const mine = (view.token = (view.token ?? 0) + 1);
  view.update(component);
  return () => { if (view.token === mine) { view.destroy(); VIEWS.delete(parentElement); } };
}
