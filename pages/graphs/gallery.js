// @ts-check
/**
 * Kernex: graphs drawn side by side, each a button that chooses it; one path a kind of vertex and of edge.
 *
 * @typedef {{id: string, notes: string[], instead: string, chosen: boolean, xy: number[], edges: number[], vertices: number[],
 *   kinds: number[]}} Card
 * @typedef {{name: string, colour: string, marker: string}} Vertex
 * @typedef {{name: string, style: string}} Edge
 * @typedef {{cards: Card[], vertices: Vertex[], edges: Edge[], unit: number, mark: string}} Gallery
 */
const SVG = "http://www.w3.org/2000/svg", WIDTH = 160, HEIGHT = 112, MARGIN = 9, LONGEST_EDGE = 30;
const DASHES = { solid: "", double: "", triple: "", dash: "4 2.5", longdash: "8 2.5", dashdot: "5 2 1 2", dot: "1 2.5" };

/** @param {string} name @param {Record<string, string|number>} attributes */
function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** A regular polygon or star as corners around 0. @param {number} n @param {number} turn @param {number} [inner] */
const corners = (n, turn, inner = 1) =>
  Array.from({ length: inner === 1 ? n : 2 * n }, (_, k) => {
    const size = inner !== 1 && k % 2 ? inner : 1, angle = turn + (2 * Math.PI * k) / (inner === 1 ? n : 2 * n);
    return [size * Math.cos(angle), size * Math.sin(angle)];
  });
const CROSS = [[-1, -.35], [-.35, -.35], [-.35, -1], [.35, -1], [.35, -.35], [1, -.35], [1, .35], [.35, .35], [.35, 1],
  [-.35, 1], [-.35, .35], [-1, .35]];
const UP = -Math.PI / 2;
/** @type {Record<string, number[][]>} */
const MARKERS = {
  diamond: corners(4, 0), square: corners(4, Math.PI / 4), "triangle-up": corners(3, UP), "triangle-down": corners(3, -UP),
  pentagon: corners(5, UP), hexagon: corners(6, 0), star: corners(5, UP, 0.45), cross: CROSS,
  x: CROSS.map(([x, y]) => [(x - y) * 0.75, (x + y) * 0.75]),
};

/** Path of one marker. @param {string} marker @param {number} x @param {number} y @param {number} r */
function outline(marker, x, y, r) {
  const at = (/** @type {number} */ v) => v.toFixed(1);
  if (!MARKERS[marker]) return `M${at(x - r)} ${at(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  return `M${MARKERS[marker].map(([a, b]) => `${at(x + 1.15 * r * a)} ${at(y + 1.15 * r * b)}`).join("L")}z`;
}

/** One line, or two or three beside each other. @param {number[]} a @param {number[]} b @param {string} style */
function line(a, b, style) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(dx, dy) || 1, offsets =
    style === "double" ? [-1.5, 1.5] : style === "triple" ? [-2.4, 0, 2.4] : [0];
  return offsets.map((o) => {
    const [x, y] = [(-dy / length) * o, (dx / length) * o];
    return `M${(a[0] + x).toFixed(1)} ${(a[1] + y).toFixed(1)}L${(b[0] + x).toFixed(1)} ${(b[1] + y).toFixed(1)}`;
  }).join("");
}

/** @param {Card} card @param {Gallery} data */
function picture(card, data) {
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }), n = card.xy.length / 2;
  const x = card.xy.filter((_, k) => k % 2 === 0), y = card.xy.filter((_, k) => k % 2 === 1);
  const reach = (/** @type {number[]} */ v) => v.reduce(([low, high], z) => [Math.min(low, z), Math.max(high, z)], [Infinity, -Infinity]);
  const [left, right] = n ? reach(x) : [0, 0], [low, high] = n ? reach(y) : [0, 0];
  const scale = Math.min(LONGEST_EDGE / data.unit, (WIDTH - 2 * MARGIN) / (right - left || 1), (HEIGHT - 2 * MARGIN) / (high - low || 1));
  const at = x.map((z, k) => [WIDTH / 2 + (z - (left + right) / 2) * scale, HEIGHT / 2 - (y[k] - (low + high) / 2) * scale]);
  data.edges.forEach((edge, kind) => {
    const d = card.kinds.map((k, e) => (k === kind ? line(at[card.edges[2 * e]], at[card.edges[2 * e + 1]], edge.style) : "")).join("");
    if (d) svg.append(shape("path", { d, class: "edge", "stroke-dasharray": DASHES[edge.style] ?? "" }));
  });
  const r = n > 200 ? 1.6 : n > 60 ? 2.6 : n > 30 ? 3.4 : 4.4;
  data.vertices.forEach((vertex, kind) => {
    const d = card.vertices.map((v, k) => (v === kind ? outline(vertex.marker, at[k][0], at[k][1], r) : "")).join("");
    if (d) svg.append(shape("path", { d, fill: vertex.colour, class: "vertex" }));
  });
  return svg;
}

/** @param {string} tag @param {string} text */
function words(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Which colour and which line is which label. @param {Gallery} data */
function key(data) {
  const row = document.createElement("p");
  row.className = "key";
  const entry = (/** @type {SVGElement} */ drawn, /** @type {string} */ name, /** @type {string} */ box) => {
    const item = document.createElement("span"), svg = shape("svg", { viewBox: box, class: "sample", "aria-hidden": "true" });
    svg.append(drawn);
    item.append(svg, name);
    row.append(item);
  };
  if (data.vertices.length > 1) {
    row.append(words("b", "Vertices"));
    for (const v of data.vertices) entry(shape("path", { d: outline(v.marker, 9, 6, 4.6), fill: v.colour, class: "vertex" }), v.name, "0 0 18 12");
  }
  if (data.edges.length > 1) {
    row.append(words("b", "Edges"));
    for (const e of data.edges) {
      entry(shape("path", { d: line([1, 6], [23, 6], e.style), class: "edge", "stroke-dasharray": DASHES[e.style] ?? "" }), e.name, "0 0 24 12");
    }
  }
  return row;
}

/** @param {{data: Gallery, parentElement: HTMLElement|ShadowRoot, setTriggerValue: (name: string, value: unknown) => void}} component */
export default function ({ data, parentElement, setTriggerValue }) {
  let root = /** @type {HTMLElement|null} */ (parentElement.querySelector(".gallery"));
  if (!root) {
    root = document.createElement("div");
    root.className = "gallery";
    parentElement.append(root);
  }
  const focused = /** @type {HTMLElement|null} */ (root.querySelector("button:focus"))?.dataset.id;
  const grid = document.createElement("div");
  grid.className = "cards";
  for (const card of data.cards) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.id = card.id;
    button.setAttribute("aria-pressed", String(card.chosen));
    button.title = card.id;
    const notes = card.notes.map((note) => words("small", note));
    button.append(card.xy.length ? picture(card, data) : words("em", card.instead), words("strong", card.id), ...notes);
    button.addEventListener("click", () => setTriggerValue("picked", card.id));
    grid.append(button);
  }
  root.style.setProperty("--mark", data.mark);
  root.replaceChildren(key(data), grid);
  if (focused !== undefined) /** @type {HTMLElement|undefined} */ ([...root.querySelectorAll("button")].find((b) => b.dataset.id === focused))?.focus();
}
