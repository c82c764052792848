// @ts-check
/**
 * Kernex: one to six matrices on the same items in the same order, drawn on canvas and linked.
 *
 * Python sends a *head* (which panels, in words) and *carriers* (bytes, each under its digest; see carrier.js). A head names
 * digests; the old picture stays until all of them are there. Coordinates of cells are positions in the order of items.
 *
 * @typedef {{n: number, kind: "f4"|"u2"|"u1", size: number, ordered: boolean, low: number, high: number, digits: number,
 *   window?: [number, number, number, number], lams?: number[], codings?: number[][], s?: number, sizes?: [number, number], digest: string}} BlobHead
 * @typedef {{head: BlobHead, data: Float32Array|Uint16Array|Uint8Array}} Blob
 * @typedef {{title: string, note: string, digest: string, exact?: string, low: number, high: number, ticks: string[],
 *   colours: string[], alt: string, unknown?: number[]|null}} PanelHead
 * @typedef {{panel: number, kind: "factor"|"spectrum"|"mix"|"frames"|"empirical"|"error", note?: string, digest?: string, of?: string[],
 *   joint?: number, hidden?: number[], rescaled?: boolean}} Follows
 * @typedef {{name: string, label: string, value: number, low: number, high: number, step: number, texts?: string[], follows: Follows[]}} Drag
 * @typedef {{ids: string[], classes: number[], names: string[], key: [string, string, string][], order: number[],
 *   tree?: [number, number, number][], digest: string}} Items
 * @typedef {{panels: PanelHead[], items: string, drag?: Drag|null, chosen: number[], pair: [number, number]|null, file: string,
 *   heading: string, settings: string, mark: string, cut?: number|null, words: Record<string, string>}} Head
 */

const STORE = (globalThis.__kernex ??= { blobs: new Map(), views: new Set() });
const STRIP = 6, GAP = 3, TREE = 44, BAR = 9, TEXT = 11;
const SPAN = 4; // the deepest zoom shows so many items
/** Milliseconds without another key after which a value is taken. */
const KEYS = 250;
const PLAY = "Play from the first value to the last";
const TWICE = 280; // milliseconds within which a second click makes a double one
const EXACT = 512; // a window of at most so many items is asked for in full

/** Position of (i, j) in a lower triangle with its diagonal. @param {number} i @param {number} j */
export const place = (i, j) => (i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i);

/** Largest code of a coded matrix; 0 is unknown. */
const TOP = { u1: 250, u2: 65535, f4: 0 };

/** A matrix that can be asked for its values. */
export class Matrix {
  /** @param {BlobHead} head @param {Float32Array|Uint16Array|Uint8Array} data */
  constructor(head, data) {
    this.head = head;
    this.data = data;
    this.size = head.size;
    this.step = head.kind === "f4" ? 0 : (head.high - head.low) / (TOP[head.kind] - 1);
  }

  /** Value of a stored number; NaN where it is unknown. @param {number} stored */
  value(stored) {
    if (this.head.kind === "f4") return stored;
    return stored === 0 ? NaN : this.head.low + (stored - 1) * this.step;
  }

  /** A value with as many digits as are right: codes are off by up to half a step. @param {number} value */
  said(value) {
    if (!this.step || !value) return written(value, this.head.digits);
    const right = Math.floor(Math.log10(Math.abs(value))) + 1 - Math.ceil(Math.log10(this.step));
    return right < 1 ? written(0, 1) : written(value, Math.min(right, this.head.digits));
  }

  /** Value at two stored positions (items, or blocks where there are many). @param {number} i @param {number} j */
  at(i, j) {
    const w = this.head.window;
    return this.value(w ? this.data[(i - w[0]) * (w[3] - w[2]) + (j - w[2])] : this.data[place(i, j)]);
  }
}

/**
 * Colours of 256 steps between stops such as "#00224e" or "rgba(47,101,173,0.85)"; what is transparent shows the ground, and
 * not the hatch, which means unknown.
 * @param {string[]} stops @param {string} ground
 */
export function ramp(stops, ground = "#ffffff") {
  const under = rgba(ground), over = ([r, g, b, a]) => [r, g, b].map((v, c) => v * a + under[c] * (1 - a)).concat(1);
  const parsed = stops.map(rgba).map((/** @type {any} */ colour) => over(colour)), out = new Uint32Array(256);
  for (let k = 0; k < 256; k++) {
    const at = (k / 255) * (parsed.length - 1), i = Math.min(Math.floor(at), parsed.length - 2), t = at - i;
    const [r, g, b, a] = parsed[i].map((v, c) => v + t * (parsed[i + 1][c] - v));
    out[k] = ((Math.round(a * 255) << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
  }
  return out;
}

/** @param {string} text @returns {number[]} */
function rgba(text) {
  if (text[0] === "#") return [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16)).concat(1);
  const found = (text.match(/[\d.]+/g) ?? []).map(Number);
  return found.length === 3 ? [...found, 1] : found;
}

/** A number with so many significant digits, a real minus and commas between thousands. @param {number} value @param {number} digits */
export function written(value, digits) {
  if (Number.isNaN(value)) return "unknown";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e-4 && size < 1e6 ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1);
  const plain = size >= 1e-4 && size < 1e6 ? padded(text, digits, size) : text.replace(/e([+-])(\d+)/, (_, s, e) => ` × 10${raised(s, e)}`);
  return plain.replace("-", "−").replace(/^−?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

/** Zeros at the end are digits, too. @param {string} text @param {number} digits @param {number} size */
function padded(text, digits, size) {
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return decimals ? Number(text).toFixed(decimals) : text;
}

/** @param {string} sign @param {string} digits */
const raised = (sign, digits) => (sign === "-" ? "⁻" : "") + [...digits].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[+d]).join("");

/** How many panels stand in a row. @param {number} width @param {number} count */
export function columns(width, count) {
  const most = width >= 940 ? 5 : width >= 680 ? 4 : width >= 560 ? 3 : width >= 300 ? 2 : 1;
  if (count <= most) return count;
  if (count === 4 && most === 3) return 2;
  return count === 6 && most >= 3 ? 3 : count === 4 && most >= 2 ? 2 : Math.min(most, 3);
}

/**
 * The joint kernel J(λ) = F diag(d) F' with d = ab / (b λ/s_A + a (1 − λ)/s_T), as a lower triangle.
 * @param {Float32Array} data a, b, then F item by item, s numbers each @param {number} n @param {number} s
 * @param {[number, number]} sizes s_A and s_T @param {number} lam
 */
export function joint(data, n, s, sizes, lam) {
  const d = new Float32Array(s);
  for (let k = 0; k < s; k++) {
    const a = data[k], b = data[s + k];
    d[k] = a > 0 && b > 0 ? (a * b) / ((lam / sizes[0]) * b + ((1 - lam) / sizes[1]) * a) : 0;
  }
  return product(d, data.subarray(2 * s), n, s);
}

/** F diag(d) F' as a lower triangle. @param {Float32Array} d @param {Float32Array} F item by item @param {number} n @param {number} s */
function product(d, F, n, s) {
  const row = new Float32Array(s), out = new Float32Array((n * (n + 1)) / 2);
  for (let i = 0, t = 0; i < n; i++) {
    for (let k = 0, a = i * s; k < s; k++, a++) row[k] = d[k] * F[a];
    for (let j = 0; j <= i; j++, t++) {
      let sum = 0;
      for (let k = 0, b = j * s; k < s; k++, b++) sum += row[k] * F[b];
      out[t] = sum;
    }
  }
  return out;
}

/**
 * A kernel with its own eigenvalues at each of m values of a parameter.
 * @param {Float32Array} data s eigenvalues a value, then the eigenvectors item by item, s numbers each @param {number} n @param {number} s
 * @param {number} m @param {number} at which of the values
 */
export const weighted = (data, n, s, m, at) => product(data.subarray(at * s, at * s + s), data.subarray(m * s), n, s);

/** λ of one matrix and 1 − λ of another. @param {Matrix} A @param {Matrix} T @param {number} lam */
export function mixed(A, T, lam) {
  const out = new Float32Array(A.data.length);
  for (let t = 0; t < out.length; t++) out[t] = lam * A.value(A.data[t]) + (1 - lam) * T.value(T.data[t]);
  return out;
}

/** The same where some items are unknown. @param {Matrix} matrix @param {number[]} unknown */
export function without(matrix, unknown) {
  const data = matrix.data.slice();
  for (const i of unknown) for (let j = 0; j < matrix.size; j++) data[place(i, j)] = matrix.head.kind === "f4" ? NaN : 0;
  return new Matrix(matrix.head, data);
}

/** Values of the codes of a frame: equal steps of a root of the value, with its sign. @param {number[]} coding */
function decoded([low, high, size, power]) {
  const out = new Float32Array(TOP.u1 + 1).fill(NaN);
  for (let c = 1; c <= TOP.u1; c++) { const u = low + ((c - 1) * (high - low)) / (TOP.u1 - 1); out[c] = Math.sign(u) * size * Math.abs(u) ** power; }
  return out;
}

/** Between the two frames around a value. @param {Blob} blob @param {number} lam */
export function between(blob, lam) {
  const lams = blob.head.lams ?? [], length = blob.data.length / lams.length, out = new Float32Array(length);
  let k = 0;
  while (k < lams.length - 2 && lams[k + 1] < lam) k++;
  const t = Math.min(Math.max((lam - lams[k]) / (lams[k + 1] - lams[k]), 0), 1);
  const [from, to] = [k, k + 1].map((at) => decoded(blob.head.codings[at]));
  for (let c = 0, a = k * length, b = a + length; c < length; c++, a++, b++) out[c] = (1 - t) * from[blob.data[a]] + t * to[blob.data[b]];
  return out;
}

/** G = E E' with E = sgn(k)|k|^p over all items. @param {Matrix} K @param {number} p */
export function empirical(K, p) {
  const n = K.size, E = new Float32Array(n * n), out = new Float32Array((n * (n + 1)) / 2);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) { const v = K.at(i, j); E[i * n + j] = Math.sign(v) * Math.abs(v) ** p; }
  for (let i = 0, t = 0; i < n; i++) for (let j = 0; j <= i; j++, t++) {
    let sum = 0;
    for (let k = 0, a = i * n, b = j * n; k < n; k++, a++, b++) sum += E[a] * E[b];
    out[t] = sum;
  }
  return out;
}

/** A kernel divided by its mean diagonal. @param {Float32Array} K @param {number} n */
function inUnits(K, n) {
  let trace = 0;
  for (let i = 0; i < n; i++) trace += K[place(i, i)];
  return trace > 0 ? K.map((v) => (v * n) / trace) : K;
}

/**
 * A kernel less the truth; it is scaled by least squares on pairs with a hidden item (all pairs, if none is hidden).
 * @param {Float32Array} J @param {Matrix} truth @param {number[]} hidden
 */
export function error(J, truth, hidden) {
  const n = truth.size, is = new Uint8Array(n), out = new Float32Array(J.length);
  for (const i of hidden) is[i] = 1;
  let up = 0, down = 0;
  for (let i = 0, t = 0; i < n; i++) for (let j = 0; j <= i; j++, t++) {
    const v = (out[t] = truth.value(truth.data[t]));
    if (i !== j && v === v && (!hidden.length || is[i] || is[j])) { up += J[t] * v; down += J[t] * J[t]; }
  }
  const s = down > 0 ? up / down : 1;
  for (let t = 0; t < out.length; t++) out[t] = s * J[t] - out[t];
  return out;
}

/**
 * Items below every merge, and where it stands: nodes below n are items, the k-th merge is node n + k.
 * @param {[number, number, number][]} merges @param {number[]} order
 */
export function branches(merges, order) {
  const n = order.length, at = new Float64Array(n), nodes = [];
  order.forEach((item, position) => (at[item] = position + 0.5));
  const node = (/** @type {number} */ k) => (k < n ? { x: at[k], h: 0, items: [k] } : nodes[k - n]);
  for (const [a, b, h] of merges) {
    const left = node(a), right = node(b);
    nodes.push({ x: (left.x + right.x) / 2, h, items: [...left.items, ...right.items], xs: [left.x, right.x], hs: [left.h, right.h] });
  }
  return nodes;
}

/** The part of the canvas interface that pictures use, writing SVG instead. */
class Svg {
  constructor() { this.out = []; this.fillStyle = this.strokeStyle = "#000"; this.font = ""; this.textAlign = "left"; this.lineWidth = 1; }
  fillRect(x, y, w, h) { this.out.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${this.fillStyle}"/>`); }
  strokeRect(x, y, w, h) {
    this.out.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"/>`);
  }
  fillText(text, x, y) {
    const anchor = { left: "start", right: "end", center: "middle" }[this.textAlign];
    const bold = this.font.startsWith("bold") ? ' font-weight="bold"' : "", size = /([\d.]+)px/.exec(this.font)?.[1] ?? TEXT;
    this.out.push(`<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}"${bold} fill="${this.fillStyle}">${escaped(text)}</text>`);
  }
  line(x0, y0, x1, y1) { this.lines([[x0, y0, x1, y1]]); }
  lines(ends) {
    const d = ends.map(([x0, y0, x1, y1]) => `M${x0} ${y0}L${x1} ${y1}`).join("");
    this.out.push(`<path d="${d}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"/>`);
  }
  image(canvas, sx, sy, sw, sh, x, y, w, h) {
    const cut = document.createElement("canvas");
    cut.width = Math.max(1, Math.round(sw)); cut.height = Math.max(1, Math.round(sh));
    cut.getContext("2d")?.drawImage(canvas, sx, sy, sw, sh, 0, 0, cut.width, cut.height);
    this.out.push(`<image x="${x}" y="${y}" width="${w}" height="${h}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${cut.toDataURL()}"/>`);
  }
  document(width, height, ground, font) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(font)}">` +
      `<rect width="100%" height="100%" fill="${ground}"/>${this.out.join("")}</svg>`;
  }
}

/** A canvas context with the calls that Svg has, too. @param {CanvasRenderingContext2D} ctx */
function pen(ctx) {
  return Object.assign(ctx, {
    line(x0, y0, x1, y1) { this.lines([[x0, y0, x1, y1]]); },
    lines(ends) { ctx.beginPath(); for (const [x0, y0, x1, y1] of ends) { ctx.moveTo(x0, y0); ctx.lineTo(x1, y1); } ctx.stroke(); },
    image(...given) { ctx.imageSmoothingEnabled = false; ctx.drawImage(...given); },
  });
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** A text cut to a width, at about so many pixels a letter. @param {string} text @param {number} width @param {number} letter */
function fitted(text, width, letter) {
  const most = Math.max(4, Math.floor(width / letter));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** @param {string} tag @param {Record<string, string>} given @param {(Node|string)[]} inside */
function element(tag, given = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

/** Corners of the markers of maps in a box of 12; a circle has none. */
const MARKERS = {
  diamond: "6,0 12,6 6,12 0,6", square: "1,1 11,1 11,11 1,11", "triangle-up": "6,1 12,11 0,11", "triangle-down": "0,1 12,1 6,11",
  x: "2,0 6,4 10,0 12,2 8,6 12,10 10,12 6,8 2,12 0,10 4,6 0,2", cross: "4,0 8,0 8,4 12,4 12,8 8,8 8,12 4,12 4,8 0,8 0,4 4,4",
  star: "6,0 7.6,4.2 12,4.4 8.6,7.2 9.7,11.6 6,9.1 2.3,11.6 3.4,7.2 0,4.4 4.4,4.2", pentagon: "6,0 12,4.6 9.7,11.6 2.3,11.6 0,4.6", hexagon: "6,0 11.2,3 11.2,9 6,12 0.8,9 0.8,3",
};

/** The marker of a class, as in the map. @param {string} shape @param {string} colour */
function marker(shape, colour) {
  const made = (/** @type {string} */ tag, /** @type {Record<string, string>} */ given) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
    return node;
  };
  const svg = made("svg", { class: "dot", viewBox: "0 0 12 12", "aria-hidden": "true", "data-marker": shape });
  svg.append(MARKERS[shape] ? made("polygon", { points: MARKERS[shape], fill: colour }) : made("circle", { cx: "6", cy: "6", r: "5.5", fill: colour }));
  return svg;
}

class View {
  /** @param {HTMLElement} host @param {ShadowRoot|HTMLElement} root */
  constructor(host, root) {
    this.host = host;
    this.root = element("div", { class: "matrices" });
    root.append(this.root);
    /** @type {Head|null} */ this.head = null;
    /** @type {Head|null} */ this.next = null;
    this.panels = [];
    this.cell = null; this.from = null; this.lam = null; this.dragging = false; this.own = false; this.tool = "zoom"; this.byKeys = false; this.late = 0;
    this.told = /** @type {number[]} */ ([]); // values of the thumb that the server was told and has not answered
    this.found = []; this.corner = null; this.pointers = new Map(); this.members = /** @type {number[][]} */ ([]); // items of each class of the key
    this.build();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.root);
    STORE.views.add(this);
  }

  destroy() {
    this.observer.disconnect();
    STORE.views.delete(this);
    this.stop();
    clearTimeout(this.waiting);
    this.root.remove();
  }

  /** Toolbar, panels, tooltip and the region that is read aloud. */
  build() {
    this.search = element("input", { type: "search", class: "search", placeholder: "Find an id", "aria-label": "Find an id" });
    this.hits = element("span", { class: "hits", "aria-live": "polite" });
    this.play = element("button", { type: "button", class: "play", "aria-label": PLAY }, "▶");
    this.range = element("input", { type: "range", class: "range", title: "The pictures follow while you drag" });
    this.shown = element("output", { class: "shown" });
    this.scale = element("input", { type: "checkbox" });
    this.nameplate = element("span", { class: "named" });
    this.pick = element("button", { type: "button", class: "pick", hidden: "" });
    this.pick.addEventListener("click", () => this.send?.("pick", Date.now()));
    this.drag = element("div", { class: "drag", hidden: "" }, this.nameplate, this.range, this.shown, this.play, this.pick);
    this.tools = ["zoom", "choose"].map((name) => {
      const says = name === "zoom" ? "Drag to zoom into a block" : "Drag to choose the items of a block";
      const made = element("button", { type: "button", "aria-pressed": String(name === "zoom"), title: `${says} (Shift: the other)`, "data-tool": name }, name === "zoom" ? "Zoom" : "Choose items");
      made.addEventListener("click", () => this.use(name));
      return made;
    });
    this.reset = element("button", { type: "button", title: "Show everything (Escape, or double click)" }, "Show all");
    const png = element("button", { type: "button", title: "Picture of all panels, PNG" }, "PNG");
    const svg = element("button", { type: "button", title: "Picture of all panels, SVG" }, "SVG");
    const colours = element("label", { title: "Colours follow the values of each picture; otherwise they stay, and shrinkage is seen" }, this.scale, " colours per picture");
    const menu = element("details", { class: "menu" }, element("summary", { "aria-label": "Tools of the pictures", title: "Find, zoom, choose, save" }, "⋯"),
      element("div", { class: "tools" }, element("div", {}, this.search, this.hits), element("div", {}, ...this.tools, this.reset), element("div", {}, png, svg, colours)));
    this.bar = element("div", { class: "bar" }, this.drag, menu);
    this.grid = element("div", { class: "grid", tabindex: "0", role: "group", "aria-label": "Matrices. Arrow keys move over the cells, Enter looks at a pair, Space begins a block and at another cell chooses its items, plus and minus zoom, Escape shows everything." });
    this.key = element("div", { class: "key" });
    this.unknown = element("span", { class: "unknown", hidden: "" }, element("span", { class: "hatch", "aria-hidden": "true" }), "unknown");
    this.tip = element("div", { class: "tip", hidden: "" });
    this.live = element("div", { class: "live", "aria-live": "polite" });
    this.root.append(this.bar, this.grid, this.key, this.tip, this.live);
    this.search.addEventListener("input", () => this.find());
    this.search.addEventListener("keydown", (event) => event.key === "Enter" && this.nextHit());
    this.range.addEventListener("input", () => this.move(+this.range.value));
    this.range.addEventListener("change", () => this.letGo());
    this.range.addEventListener("pointerdown", () => { this.byKeys = false; });
    this.range.addEventListener("keydown", () => { this.byKeys = true; });
    this.range.addEventListener("blur", () => this.release());
    this.play.addEventListener("click", () => (this.playing ? this.stop() : this.start()));
    this.scale.addEventListener("change", () => { this.own = this.scale.checked; this.colour(); });
    this.reset.addEventListener("click", () => this.all());
    png.addEventListener("click", () => this.png());
    svg.addEventListener("click", () => this.svg());
    this.grid.addEventListener("keydown", (event) => this.press(event));
    this.grid.addEventListener("pointerleave", () => { if (!this.pointers.size) this.hover(null); });
  }

  /** Take a new head; it is shown once every carrier is there. @param {Head} head @param {(name: string, value: unknown) => void} send */
  update(head, send) {
    this.send = send;
    this.next = head;
    this.settle();
  }

  /** Show the head that waits, if all that it names is there. */
  settle() {
    const head = this.next, wanted = head && this.wanted(head);
    if (!head || !wanted.every((digest) => STORE.blobs.has(digest))) return;
    this.next = null;
    this.blobs = new Map(wanted.map((digest) => [digest, STORE.blobs.get(digest)]));
    const items = /** @type {Items} */ (this.blobs.get(head.items).head);
    if (!this.items || this.items.digest !== items.digest) this.bring(items);
    this.head = head;
    this.answered(head.drag?.value);
    if (!this.moved()) this.lam = head.drag?.value ?? null;
    if (this.panels.length !== head.panels.length) this.lay(head.panels.length);
    head.panels.forEach((panel, k) => this.fill(this.panels[k], panel));
    this.controls();
    if (this.moved() && head.drag) this.follow();
    this.resize();
    this.describe();
  }

  /** @param {Head} head */
  wanted(head) {
    const follows = (head.drag?.follows ?? []).flatMap((each) => [each.digest, ...(each.of ?? [])]);
    const all = [head.items, ...head.panels.flatMap((panel) => [panel.digest, panel.exact]), ...follows];
    return /** @type {string[]} */ ([...new Set(all.filter(Boolean))]);
  }

  /** @param {Items} items */
  bring(items) {
    this.items = items;
    this.n = items.order.length;
    this.nodes = items.tree ? branches(items.tree, items.order) : [];
    this.position = new Int32Array(this.n);
    items.order.forEach((item, position) => (this.position[item] = position));
    this.window = [0, this.n, 0, this.n];
    this.cell = this.corner = null;
    this.found = [];
    this.members = items.key.map(() => /** @type {number[]} */ ([]));
    const last = items.key.length - 1; // of more classes it stands for all others
    items.classes.forEach((kind, i) => kind >= 0 && this.members[Math.min(kind, last)].push(i));
    this.key.replaceChildren(...items.key.map(([name, colour, shape], k) => {
      const members = this.members[k], size = this.size(k), says = { type: "button", title: `Choose the items of ${name}`, "aria-label": `${name} ${size} items` }; // what is read begins with what is seen
      const made = element("button", says, marker(shape, colour), element("span", {}, name), " ", element("small", {}, size));
      made.addEventListener("click", () => this.choose(members));
      return made;
    }), this.unknown);
  }

  /** Items of a class of the key, as it is written. @param {number} k */
  size(k) {
    return this.members[k].length.toLocaleString("en");
  }

  /** @param {number} count */
  lay(count) {
    this.pointers.clear(); // a finger on a picture that goes away is never lifted from it
    this.from = this.block = null;
    this.panels = Array.from({ length: count }, (_, number) => {
      const title = element("strong"), note = element("small"), base = element("canvas"), over = element("canvas");
      base.setAttribute("role", "img");
      over.setAttribute("aria-hidden", "true");
      const stack = element("div", { class: "stack" }, base, over);
      const figure = element("figure", {}, element("figcaption", {}, title, " ", note), stack);
      const panel = { number, title, note, base, over, stack, figure, matrix: null, bitmap: document.createElement("canvas") };
      this.listen(panel);
      return panel;
    });
    this.grid.replaceChildren(...this.panels.map((panel) => panel.figure));
  }

  fill(panel, head) {
    panel.head = head;
    panel.title.textContent = head.title;
    panel.note.textContent = head.note;
    panel.base.setAttribute("aria-label", head.alt);
    const blob = this.blobs.get(head.digest), exact = head.exact && this.blobs.get(head.exact);
    panel.exact = exact ? new Matrix(exact.head, exact.data) : null;
    const sent = new Matrix(blob.head, blob.data);
    panel.sent = head.unknown ? without(sent, head.unknown) : sent;
    panel.ramp = ramp(head.colours, this.inks().ground);
    panel.gaps = false;
    this.show(panel, panel.sent);
  }

  /** Draw a matrix's bitmap: stored numbers through a table of colours. */
  show(panel, matrix) {
    panel.matrix = matrix;
    this.range_of(panel);
    panel.bitmap = this.bitmap(panel, matrix, [0, matrix.size, 0, matrix.size]);
    panel.detail = panel.exact ? this.bitmap(panel, panel.exact, panel.exact.head.window) : null;
  }

  /** Ends of the colours: those of the page, or those of what is shown where a visitor wants that or a slider moves all values. */
  range_of(panel) {
    panel.own = this.own || (this.dragging && !!this.head.drag?.follows.some((each) => each.panel === panel.number && each.rescaled));
    panel.range = panel.own ? spread(panel.matrix) : [panel.head.low, panel.head.high];
  }

  bitmap(panel, matrix, [r0, r1, c0, c1]) {
    const width = c1 - c0, height = r1 - r0, made = document.createElement("canvas");
    made.width = width; made.height = height;
    const ctx = made.getContext("2d"), picture = ctx.createImageData(width, height), pixels = new Uint32Array(picture.data.buffer);
    const [low, high] = panel.range, slope = 255 / (high - low), order = matrix.head.ordered ? null : this.items.order, colours = panel.ramp;
    for (let r = r0, t = 0; r < r1; r++) for (let c = c0; c < c1; c++, t++) {
      const v = order ? matrix.at(order[r], order[c]) : matrix.at(r, c);
      if (v === v) pixels[t] = colours[Math.min(255, Math.max(0, Math.round((v - low) * slope)))];
      else panel.gaps = true;
    }
    ctx.putImageData(picture, 0, 0);
    return made;
  }

  /** Whether a panel has hatched cells. */
  gaps() { return this.panels.some((panel) => panel.gaps); }

  controls() {
    const drag = this.head.drag;
    this.drag.hidden = !drag;
    this.bar.classList.toggle("alone", !drag);
    this.unknown.hidden = !this.gaps();
    this.key.hidden = !this.items.names.length && !this.gaps();
    if (!drag) return;
    Object.assign(this.range, { min: drag.low, max: drag.high, step: drag.step });
    this.range.setAttribute("aria-label", drag.label);
    this.nameplate.textContent = drag.title ?? drag.label;
    this.pick.hidden = !drag.pick;
    this.pick.textContent = drag.pick ?? "";
    if (!this.moved()) { this.range.value = String(drag.value); this.say(drag.value); }
  }

  // ---- what follows the thumb

  /** A value of the parameter as it is called, or with the decimals of its step. @param {number} lam */
  said(lam) { return this.head.drag.texts?.[Math.round(lam)] ?? lam.toFixed(Math.max(0, Math.ceil(-Math.log10(this.head.drag.step)))); }

  /** @param {number} lam */
  say(lam) {
    this.shown.textContent = `${this.head.drag.name} = ${this.said(lam)}`;
    this.range.setAttribute("aria-valuetext", this.said(lam));
  }

  /** @param {number} lam */
  move(lam) {
    this.dragging = true;
    this.lam = lam;
    this.say(lam);
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.follow(); this.paint(); this.overlay(); this.frames = (this.frames ?? 0) + 1; });
  }

  follow() {
    const made = [];
    for (const each of this.head.drag.follows) {
      const panel = this.panels[each.panel], n = this.n;
      const source = (each.of ?? []).map((digest) => { const blob = this.blobs.get(digest); return new Matrix(blob.head, blob.data); });
      const blob = each.digest ? this.blobs.get(each.digest) : null;
      let values;
      if (each.kind === "factor") values = joint(blob.data, n, blob.head.s, blob.head.sizes, this.lam);
      else if (each.kind === "spectrum") values = weighted(blob.data, n, blob.head.s, blob.head.m, Math.round(this.lam));
      else if (each.kind === "mix") values = mixed(source[0], source[1], this.lam);
      else if (each.kind === "frames") values = between(blob, this.lam);
      else if (each.kind === "empirical") values = inUnits(empirical(source[0], this.lam), n);
      else values = error(made[each.joint], source[0], each.hidden);
      made[each.panel] = values;
      // made of what was sent, it is stored as that is: in blocks and in order, where there are many items
      const like = blob && each.kind === "frames" ? blob.head : source[0]?.head;
      const head = { n, size: like?.size ?? n, kind: "f4", ordered: like?.ordered ?? false, low: 0, high: 0, digits: like?.digits ?? 4, digest: "" };
      panel.exact = null;
      this.show(panel, new Matrix(/** @type {BlobHead} */ (head), values));
      if (each.note) panel.note.textContent = each.note.replace("{}", this.said(this.lam));
    }
    this.describe();
  }

  /** The thumb has come to a stop: under a key only once no other key follows, or an answer would take back what came after it. */
  letGo() {
    if (!this.byKeys) return this.release();
    clearTimeout(this.late);
    this.late = setTimeout(() => this.release(), KEYS);
  }

  /** The thumb is let go: the server answers exactly, once. */
  release() {
    clearTimeout(this.late);
    if (!this.dragging) return;
    this.dragging = false;
    this.told.push(this.lam);
    this.send?.("lam", this.lam);
  }

  /** Values that were told up to the one of an answer are answered; any other answer takes back all that was told. @param {number} [value] */
  answered(value) {
    const k = this.told.findLastIndex((told) => Math.abs(told - value) < this.head.drag?.step / 2);
    this.told = k < 0 ? [] : this.told.slice(k + 1);
  }

  /** Whether the thumb is ahead of the server: it is held, or an answer to its last value is on its way. */
  moved() { return this.dragging || this.told.length > 0; }

  start() {
    const { low, high, step } = this.head.drag, began = performance.now();
    this.play.textContent = "❚❚";
    this.play.setAttribute("aria-label", "Stop");
    const tick = (/** @type {number} */ now) => {
      const share = Math.min((now - began) / 4000, 1), lam = Math.min(high, low + Math.round((share * (high - low)) / step) * step);
      this.range.value = String(lam);
      this.move(+this.range.value);
      this.playing = share < 1 ? requestAnimationFrame(tick) : 0;
      if (!this.playing) this.stop();
    };
    this.playing = requestAnimationFrame(tick);
  }

  stop() {
    if (this.playing) cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.play.textContent = "▶";
    this.play.setAttribute("aria-label", PLAY);
    this.release();
  }

  /** Colours anew, from the values that are shown. */
  colour() {
    for (const panel of this.panels) {
      this.range_of(panel);
      panel.bitmap = this.bitmap(panel, panel.matrix, [0, panel.matrix.size, 0, panel.matrix.size]);
      panel.detail = panel.exact ? this.bitmap(panel, panel.exact, panel.exact.head.window) : null;
    }
    this.paint();
  }

  // ---- geometry and painting

  resize() {
    const width = this.root.clientWidth;
    if (!width || !this.head) return; // hidden in a tab or an expander
    const count = columns(width, this.panels.length), room = Math.floor((width - 14 * (count - 1)) / count);
    const most = this.head.most ? Math.max(200, Math.round(this.head.most * innerHeight)) : Infinity; // so that what stands below begins on the first screen
    const column = Math.min(room, most);
    this.grid.style.gridTemplateColumns = `repeat(${count}, ${column}px)`;
    this.box = this.boxOf(column, TEXT * (parseFloat(getComputedStyle(this.host).getPropertyValue("--larger")) || 1));
    const ratio = globalThis.devicePixelRatio || 1;
    for (const panel of this.panels) for (const canvas of [panel.base, panel.over]) {
      canvas.style.width = `${column}px`; canvas.style.height = `${this.box.height}px`;
      canvas.width = Math.round(column * ratio); canvas.height = Math.round(this.box.height * ratio);
      panel.stack.style.height = `${this.box.height}px`;
    }
    this.paint();
    this.overlay();
  }

  /** Where things stand in a panel of a width. @param {number} width */
  boxOf(width, text = TEXT) {
    const strip = this.items.names.length ? STRIP + GAP : 0, tree = this.nodes.length ? TREE + GAP : 0, edge = 5;
    const side = width - strip - edge - 1;
    return { x: edge + strip, y: edge + tree + strip, side, edge, tree, width, text, height: edge + tree + strip + side + 6 + BAR + 4 + text + 3 };
  }

  inks() {
    const style = getComputedStyle(this.host), of = (/** @type {string} */ name, /** @type {string} */ other) => style.getPropertyValue(name).trim() || other;
    return { text: of("--st-text-color", "#1c1f23"), ground: of("--st-background-color", "#ffffff"), grey: of("--st-gray-text-color", "#5a5f66"), font: of("--st-font", "sans-serif") };
  }

  paint() {
    const ratio = globalThis.devicePixelRatio || 1, inks = this.inks();
    for (const panel of this.panels) {
      const ctx = pen(panel.base.getContext("2d"));
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      ctx.clearRect(0, 0, this.box.width, this.box.height);
      this.picture(ctx, panel, this.box, inks, 0, 0);
    }
  }

  /** One panel at (dx, dy): hatch, cells, strips, tree, colour bar. */
  picture(ctx, panel, box, inks, dx, dy) {
    const [r0, r1, c0, c1] = this.window, x = dx + box.x, y = dy + box.y, side = box.side;
    hatch(ctx, x, y, side);
    this.cells(ctx, panel, panel.bitmap, [0, this.n, 0, this.n], x, y, side);
    if (panel.detail) this.cells(ctx, panel, panel.detail, panel.exact.head.window, x, y, side);
    ctx.strokeStyle = "rgba(128,132,138,0.45)"; ctx.lineWidth = 1;
    ctx.strokeRect(x - 0.5, y - 0.5, side + 1, side + 1);
    if (this.items.names.length) {
      this.strip(ctx, c0, c1, (a, b, colour) => { ctx.fillStyle = colour; ctx.fillRect(x + a * side, y - GAP - STRIP, (b - a) * side, STRIP); });
      this.strip(ctx, r0, r1, (a, b, colour) => { ctx.fillStyle = colour; ctx.fillRect(x - GAP - STRIP, y + a * side, STRIP, (b - a) * side); });
    }
    if (this.nodes.length) this.tree(ctx, box, inks, x, dy + box.edge, side);
    const top = y + side + 6, width = Math.min(side, 150), colours = panel.ramp;
    for (let k = 0; k < 64; k++) {
      const v = colours[k * 4];
      ctx.fillStyle = `rgba(${v & 255},${(v >> 8) & 255},${(v >> 16) & 255},${((v >>> 24) / 255).toFixed(3)})`;
      ctx.fillRect(x + (k * width) / 64, top, width / 64 + 0.4, BAR);
    }
    const ticks = panel.own ? panel.range.map((v) => written(v, 2)) : panel.head.ticks;
    ctx.fillStyle = inks.text; ctx.font = `${box.text}px ${inks.font}`;
    ctx.textAlign = "left"; ctx.fillText(ticks[0], x, top + BAR + 4 + box.text - 1);
    ctx.textAlign = "right"; ctx.fillText(ticks[ticks.length - 1], x + width, top + BAR + 4 + box.text - 1);
    if (ticks.length === 3 && width > 110) { ctx.textAlign = "center"; ctx.fillText(ticks[1], x + width / 2, top + BAR + 4 + box.text - 1); }
  }

  /** The part of a bitmap of [rows, columns] that the window shows. */
  cells(ctx, panel, bitmap, [b0, b1, d0, d1], x, y, side) {
    const [r0, r1, c0, c1] = this.window, u0 = Math.max(r0, b0), u1 = Math.min(r1, b1), v0 = Math.max(c0, d0), v1 = Math.min(c1, d1);
    if (u0 >= u1 || v0 >= v1) return;
    const rows = bitmap.height / (b1 - b0), cols = bitmap.width / (d1 - d0);
    ctx.image(bitmap, (v0 - d0) * cols, (u0 - b0) * rows, (v1 - v0) * cols, (u1 - u0) * rows,
      x + ((v0 - c0) / (c1 - c0)) * side, y + ((u0 - r0) / (r1 - r0)) * side, ((v1 - v0) / (c1 - c0)) * side, ((u1 - u0) / (r1 - r0)) * side);
  }

  /** Runs of one class between two positions, as shares of the edge. */
  strip(ctx, from, to, draw) {
    const { classes, key, order } = this.items, last = key.length - 1;
    const colour = (/** @type {number} */ p) => (classes[order[p]] < 0 ? "rgba(128,132,138,0.25)" : key[Math.min(classes[order[p]], last)][1]);
    for (let start = Math.floor(from); start < to; ) {
      let end = start + 1;
      while (end < to && classes[order[end]] === classes[order[start]]) end++;
      draw(Math.max(0, (start - from) / (to - from)), Math.min(1, (end - from) / (to - from)), colour(start));
      start = end;
    }
  }

  tree(ctx, box, inks, x, y, side) {
    const top = this.nodes[this.nodes.length - 1].h || 1, [, , c0, c1] = this.window;
    const at = (/** @type {number} */ p) => x + Math.min(Math.max((p - c0) / (c1 - c0), 0), 1) * side, up = (/** @type {number} */ h) => y + TREE - (h / top) * (TREE - 2);
    ctx.strokeStyle = inks.grey; ctx.lineWidth = 0.75;
    const lines = [];
    for (const { h, xs, hs } of this.nodes) {
      // bars narrower than two pixels would fill the edge with grey
      if (xs[1] < c0 || xs[0] > c1 || ((xs[1] - xs[0]) / (c1 - c0)) * side < 2) continue;
      lines.push([at(xs[0]), up(h), at(xs[1]), up(h)]);
      for (const k of [0, 1]) if (xs[k] >= c0 && xs[k] <= c1) lines.push([at(xs[k]), up(hs[k]), at(xs[k]), up(h)]);
    }
    ctx.lines(lines);
    if (this.head.cut != null) { ctx.strokeStyle = this.head.mark; ctx.lineWidth = 1.25; ctx.line(x, up(this.head.cut), x + side, up(this.head.cut)); }
  }

  /** Chosen items, ids that were found, the crosshair, a block that is being drawn. */
  overlay() {
    const ratio = globalThis.devicePixelRatio || 1, { box } = this, inks = this.inks(), [r0, r1, c0, c1] = this.window;
    if (!box) return;
    const { x, y, side, edge } = box, along = (/** @type {number} */ p, /** @type {number} */ a, /** @type {number} */ b) => ((p - a) / (b - a)) * side;
    for (const panel of this.panels) {
      const ctx = pen(panel.over.getContext("2d"));
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      ctx.clearRect(0, 0, box.width, box.height);
      ctx.fillStyle = this.head.mark;
      for (const item of this.head.chosen) {
        const p = this.position[item], w = Math.max(1.5, side / (r1 - r0));
        if (p >= r0 && p < r1) ctx.fillRect(0, y + along(p + 0.5, r0, r1) - w / 2, edge - 1, w);
        if (p >= c0 && p < c1) ctx.fillRect(x + along(p + 0.5, c0, c1) - w / 2, box.tree, w, edge - 1);
      }
      for (const item of this.found) this.cross(ctx, this.position[item], this.position[item], this.head.mark, inks);
      if (this.head.pair) {
        const [i, j] = this.head.pair.map((item) => this.position[item]), w = Math.max(6, side / (r1 - r0));
        if (i >= r0 && i < r1 && j >= c0 && j < c1) {
          const cx = x + along(j + 0.5, c0, c1), cy = y + along(i + 0.5, r0, r1);
          for (const [colour, width] of [[inks.ground, 4], [this.head.mark, 2]]) { ctx.strokeStyle = /** @type {string} */ (colour); ctx.lineWidth = /** @type {number} */ (width); ctx.strokeRect(cx - w / 2, cy - w / 2, w, w); }
        }
      }
      if (this.cell) this.cross(ctx, this.cell[0], this.cell[1], inks.text, inks);
      if (this.block) {
        const [a, b, c, d] = this.block;
        ctx.strokeStyle = this.head.mark; ctx.lineWidth = 1.5;
        ctx.strokeRect(x + along(c, c0, c1), y + along(a, r0, r1), along(d, c0, c1) - along(c, c0, c1), along(b, r0, r1) - along(a, r0, r1));
      }
    }
  }

  /** Lines through a row and a column, with a halo: a dark line vanishes on dark cells. */
  cross(ctx, row, column, colour, inks) {
    const { x, y, side } = this.box, [r0, r1, c0, c1] = this.window;
    const cy = y + ((row + 0.5 - r0) / (r1 - r0)) * side, cx = x + ((column + 0.5 - c0) / (c1 - c0)) * side;
    for (const [ink, width] of [[inks.ground, 3], [colour, 1]]) {
      ctx.strokeStyle = ink; ctx.lineWidth = width; ctx.globalAlpha = width === 3 ? 0.55 : 0.9;
      if (cy >= y && cy <= y + side) ctx.line(x, cy, x + side, cy);
      if (cx >= x && cx <= x + side) ctx.line(cx, y, cx, y + side);
    }
    ctx.globalAlpha = 1;
  }

  // ---- pointer and keys

  listen(panel) {
    const { over } = panel;
    over.addEventListener("pointerdown", (event) => this.down(event, panel));
    over.addEventListener("pointermove", (event) => this.slide(event, panel));
    over.addEventListener("pointerup", (event) => this.up(event, panel));
    over.addEventListener("pointercancel", () => { this.pointers.clear(); this.from = this.block = null; this.overlay(); });
    over.addEventListener("dblclick", () => { clearTimeout(this.waiting); this.all(); });
    over.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && this.focused() !== this.grid) return; // the page scrolls
      event.preventDefault();
      const { row, column } = this.where(event, over);
      this.zoom(Math.exp(event.deltaY * 0.002), row, column);
    }, { passive: false });
  }

  focused() { return /** @type {Document|ShadowRoot} */ (this.root.getRootNode()).activeElement; }

  /** What lies under a pointer: a cell, a strip or the tree. */
  where(event, canvas) {
    const rect = canvas.getBoundingClientRect(), px = event.clientX - rect.left, py = event.clientY - rect.top, { x, y, side } = this.box, [r0, r1, c0, c1] = this.window;
    const row = r0 + ((py - y) / side) * (r1 - r0), column = c0 + ((px - x) / side) * (c1 - c0);
    const inRows = py >= y && py < y + side, inColumns = px >= x && px < x + side;
    const kind = inRows && inColumns ? "cell" : inColumns && this.nodes.length && py < this.box.edge + TREE + GAP ? "tree" : (inColumns && py < y) || (inRows && px < x) ? "strip" : "";
    return { px, py, row, column, kind, along: inColumns ? column : row };
  }

  down(event, panel) {
    panel.over.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, event);
    this.grid.focus({ preventScroll: true });
    const at = this.where(event, panel.over);
    if (this.pointers.size === 2) { this.pinch = this.apart(); this.from = null; this.block = null; return; }
    this.from = { ...at, choose: (this.tool === "choose") !== event.shiftKey };
  }

  apart() { const [a, b] = [...this.pointers.values()]; return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1; }

  slide(event, panel) {
    const at = this.where(event, panel.over);
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, event);
    if (this.pointers.size === 2) {
      const now = this.apart();
      this.zoom(this.pinch / now, at.row, at.column);
      this.pinch = now;
      return;
    }
    if (this.from?.kind === "cell" && Math.hypot(at.px - this.from.px, at.py - this.from.py) > 4) {
      const clip = (/** @type {number} */ v) => Math.min(Math.max(v, 0), this.n), rows = [clip(this.from.row), clip(at.row)].sort((a, b) => a - b), cols = [clip(this.from.column), clip(at.column)].sort((a, b) => a - b);
      this.cell = null;
      this.tip.hidden = true;
      this.block = [Math.floor(rows[0]), Math.ceil(rows[1]), Math.floor(cols[0]), Math.ceil(cols[1])];
      this.overlay();
      return;
    }
    if (event.pointerType !== "touch" || this.from) this.hover(at.kind === "cell" ? [Math.floor(at.row), Math.floor(at.column)] : null, event);
  }

  up(event, panel) {
    const at = this.where(event, panel.over), { from, block } = this;
    this.pointers.delete(event.pointerId);
    this.from = this.block = null;
    if (!from) return;
    if (block && from.choose) this.choose(this.between(block));
    else if (block) this.show_block(block);
    else if (at.kind === "cell") this.click(Math.floor(at.row), Math.floor(at.column));
    else if (at.kind === "strip") this.chooseClass(Math.floor(at.along));
    else if (at.kind === "tree") this.chooseBranch(at);
    this.overlay();
  }

  /** In a zoomed picture a click may be the first of two that return: it waits for the second. @param {number} row @param {number} column */
  click(row, column) {
    clearTimeout(this.waiting);
    if (this.window[1] - this.window[0] === this.n) this.look(row, column);
    else this.waiting = setTimeout(() => this.look(row, column), TWICE);
  }

  /** Items in the rows or columns of a block. */
  between([a, b, c, d]) {
    const positions = new Set();
    for (let p = a; p < b; p++) positions.add(p);
    for (let p = c; p < d; p++) positions.add(p);
    return [...positions].map((p) => this.items.order[p]);
  }

  chooseClass(position) {
    const { classes, order } = this.items, mine = classes[order[position]];
    if (mine >= 0) this.choose(order.filter((item) => classes[item] === mine));
  }

  /** The branch whose bar lies nearest above or below the pointer. */
  chooseBranch(at) {
    const top = this.nodes[this.nodes.length - 1].h || 1, height = ((this.box.edge + TREE - at.py) / (TREE - 2)) * top;
    const under = this.nodes.filter(({ xs }) => at.column >= xs[0] && at.column <= xs[1]);
    if (under.length) this.choose(under.reduce((a, b) => (Math.abs(b.h - height) < Math.abs(a.h - height) ? b : a)).items);
  }

  choose(items) { this.send?.("picked", items); }

  look(row, column) { this.send?.("pair", [this.items.order[row], this.items.order[column]]); }

  use(tool) {
    this.tool = tool;
    for (const made of this.tools) made.setAttribute("aria-pressed", String(made.dataset.tool === tool));
  }

  all() { this.window = [0, this.n, 0, this.n]; this.redraw(); }

  show_block([a, b, c, d]) {
    const span = Math.max(b - a, d - c, Math.min(SPAN, this.n)), centre = [(a + b) / 2, (c + d) / 2];
    this.window = this.inside(centre[0] - span / 2, centre[1] - span / 2, span);
    this.redraw();
  }

  zoom(factor, row, column) {
    const [r0, r1, c0] = this.window, span = Math.min(Math.max((r1 - r0) * factor, Math.min(SPAN, this.n)), this.n), scale = span / (r1 - r0);
    this.window = this.inside(row - (row - r0) * scale, column - (column - c0) * scale, span);
    this.redraw();
  }

  /** A square window of a span that stays inside. */
  inside(r, c, span) {
    const whole = Math.min(Math.round(span), this.n), keep = (/** @type {number} */ v) => Math.round(Math.min(Math.max(v, 0), this.n - whole)), r0 = keep(r), c0 = keep(c);
    return [r0, r0 + whole, c0, c0 + whole];
  }

  redraw() {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.paint(); this.overlay(); });
    const [r0, r1, c0, c1] = this.window;
    clearTimeout(this.asking);
    if (this.panels.some((panel) => panel.matrix.size < this.n) && r1 - r0 <= EXACT) {
      this.asking = setTimeout(() => this.send?.("window", [r0, r1, c0, c1]), 250);
    }
  }

  press(event) {
    const step = event.shiftKey ? 10 : 1, moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const [r0, r1, c0, c1] = this.window, cell = this.cell ?? [Math.floor((r0 + r1) / 2), Math.floor((c0 + c1) / 2)];
    if (moves) {
      const clip = (/** @type {number} */ v) => Math.min(Math.max(v, 0), this.n - 1);
      const next = this.cell ? [clip(cell[0] + step * moves[0]), clip(cell[1] + step * moves[1])] : cell;
      if (this.corner) this.block = this.spanned(next);
      this.hover(next);
      this.keep();
    } else if (event.key === " ") { this.mark(cell); event.preventDefault(); return; }
    else if (event.key === "Enter") this.look(cell[0], cell[1]);
    else if (event.key === "+" || event.key === "=") this.zoom(0.7, cell[0], cell[1]);
    else if (event.key === "-") this.zoom(1 / 0.7, cell[0], cell[1]);
    else if (event.key === "Escape") { this.corner = this.block = null; this.hover(null); this.all(); }
    else return;
    event.preventDefault();
    if (this.cell) this.read();
  }

  /** Space: one corner of a block, and then the other, whose items are chosen. @param {[number, number]} cell */
  mark(cell) {
    if (this.corner) {
      const block = this.spanned(cell);
      this.corner = this.block = null;
      this.choose(this.between(block));
      this.overlay();
      return;
    }
    this.corner = cell;
    this.block = this.spanned(cell);
    this.hover(cell);
    this.live.textContent = "A block begins here. Space at another cell chooses its items, Escape leaves it.";
  }

  /** Rows and columns between the marked corner and a cell. */
  spanned([r, c]) {
    const [a, b] = this.corner;
    return [Math.min(a, r), Math.max(a, r) + 1, Math.min(b, c), Math.max(b, c) + 1];
  }

  /** Bring the crosshair back into the window. */
  keep() {
    const [r0, r1, c0, c1] = this.window, [r, c] = this.cell, span = r1 - r0;
    if (r < r0 || r >= r1 || c < c0 || c >= c1) { this.window = this.inside(Math.min(Math.max(r0, r - span + 1), r), Math.min(Math.max(c0, c - span + 1), c), span); this.redraw(); }
  }

  hover(cell, event = null) {
    this.cell = cell;
    this.overlay();
    this.describe(event);
  }

  /** Value of a panel at a cell, and how many digits of it are right. */
  valueAt(panel, row, column) {
    const exact = panel.exact?.head.window, inside = exact && row >= exact[0] && row < exact[1] && column >= exact[2] && column < exact[3];
    if (inside) return panel.exact.said(panel.exact.at(row, column));
    const matrix = panel.matrix, { order } = this.items, scale = matrix.size / this.n;
    if (scale < 1) return `${matrix.said(matrix.at(Math.floor(row * scale), Math.floor(column * scale)))} (mean of a block)`;
    const [i, j] = matrix.head.ordered ? [row, column] : [order[row], order[column]];
    return matrix.said(matrix.at(i, j));
  }

  named(position) {
    const item = this.items.order[position], kind = this.items.classes[item];
    return this.items.ids[item] + (kind >= 0 ? ` · ${this.items.names[kind]}` : "");
  }

  /** Title of a panel, with its note where others have the same title. */
  called(panel) {
    const { title } = panel.head, note = panel.note.textContent;
    return note && this.panels.filter((each) => each.head.title === title).length > 1 ? `${title}, ${note}` : title;
  }

  describe(event = null) {
    if (!this.cell || !this.head) { this.tip.hidden = true; return; }
    const [row, column] = this.cell;
    const lines = [this.named(row), this.named(column)].map((text) => element("div", { class: "id" }, text));
    const values = this.panels.map((panel) => element("div", { class: "value" }, element("span", {}, this.called(panel)), element("b", {}, this.valueAt(panel, row, column))));
    this.tip.replaceChildren(...lines, ...values);
    this.tip.hidden = false;
    const root = this.root.getBoundingClientRect();
    const at = event ? [event.clientX - root.left, event.clientY - root.top] : this.beside(root);
    const left = at[0] + 16 + this.tip.offsetWidth > root.width ? at[0] - 16 - this.tip.offsetWidth : at[0] + 16;
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${at[1] + 14}px`;
  }

  /** Where the crosshair of the first panel is. */
  beside(root) {
    const rect = this.panels[0].over.getBoundingClientRect(), { x, y, side } = this.box, [r0, r1, c0, c1] = this.window;
    return [rect.left - root.left + x + ((this.cell[1] + 0.5 - c0) / (c1 - c0)) * side, rect.top - root.top + y + ((this.cell[0] + 0.5 - r0) / (r1 - r0)) * side];
  }

  read() {
    const [row, column] = this.cell;
    clearTimeout(this.reading);
    this.reading = setTimeout(() => {
      this.live.textContent = `${this.named(row)}, ${this.named(column)}: ` + this.panels.map((panel) => `${this.called(panel)} ${this.valueAt(panel, row, column)}`).join(", ");
    }, 200);
  }

  find() {
    const text = this.search.value.trim().toLowerCase(), { ids } = this.items;
    const exact = ids.map((_, i) => i).filter((i) => ids[i].toLowerCase() === text);
    const all = text ? (exact.length ? exact : ids.map((_, i) => i).filter((i) => ids[i].toLowerCase().includes(text))) : [];
    this.found = all.slice(0, 12);
    this.turn = -1;
    const marked = all.length > this.found.length ? `, ${this.found.length} marked` : "";
    this.hits.textContent = text ? (all.length ? `${all.length} found${marked}` : "none found") : "";
    this.overlay();
  }

  /** Enter: the crosshair goes to the next item that was found. */
  nextHit() {
    if (!this.found.length) return;
    this.turn = (this.turn + 1) % this.found.length;
    const p = this.position[this.found[this.turn]];
    this.hover([p, p]);
    this.keep();
    this.read();
  }

  // ---- pictures to keep

  /** Title, settings, all panels in one row or two, key; drawn by the same pen. */
  compose(ctx, inks) {
    const width = 260, count = Math.min(this.panels.length, 3), box = this.boxOf(width), gap = 18, head = 50, cell = 24 + box.height;
    const rows = Math.ceil(this.panels.length / count), total = Math.max(count * width + (count - 1) * gap, 520) + 2 * gap;
    ctx.fillStyle = inks.text; ctx.textAlign = "left";
    ctx.font = `bold 16px ${inks.font}`; ctx.fillText(fitted(this.head.heading, total - 2 * gap, 8.4), gap, 24);
    ctx.font = `${TEXT}px ${inks.font}`; ctx.fillStyle = inks.grey; ctx.fillText(fitted(this.head.settings, total - 2 * gap, 5.8), gap, 42);
    this.panels.forEach((panel, k) => {
      const dx = gap + (k % count) * (width + gap), dy = head + Math.floor(k / count) * cell + 14;
      ctx.fillStyle = inks.text; ctx.textAlign = "left"; ctx.font = `bold 12px ${inks.font}`;
      ctx.fillText(panel.head.title, dx + box.x, dy);
      ctx.font = `${TEXT}px ${inks.font}`; ctx.fillStyle = inks.grey; ctx.textAlign = "right";
      ctx.fillText(panel.note.textContent, dx + width, dy);
      this.picture(ctx, panel, box, inks, dx, dy + 4);
    });
    let x = gap, y = head + rows * cell + 20;
    for (const [k, [whole, colour]] of this.items.key.entries()) {
      const size = this.size(k), name = fitted(whole, 240, 6.2), named = 18 + 6.2 * name.length, wide = named + 6.2 * size.length;
      if (x + wide > total - gap) { x = gap; y += 18; }
      ctx.fillStyle = colour; ctx.fillRect(x, y - 9, 10, 10);
      ctx.fillStyle = inks.text; ctx.textAlign = "left"; ctx.font = `${TEXT}px ${inks.font}`; ctx.fillText(name, x + 14, y);
      ctx.fillStyle = inks.grey; ctx.fillText(size, x + named, y);
      x += wide + 12;
    }
    if (this.gaps()) {
      if (x + 70 > total - gap) { x = gap; y += 18; }
      hatch(ctx, x, y - 9, 10, 4);
      ctx.strokeRect(x + 0.5, y - 8.5, 9, 9);
      ctx.fillStyle = inks.text; ctx.textAlign = "left"; ctx.fillText("unknown", x + 14, y);
    }
    return [total, y + 16];
  }

  png() {
    const inks = this.inks(), canvas = document.createElement("canvas"), [width, height] = this.compose(pen(canvas.getContext("2d")), inks);
    canvas.width = 2 * width; canvas.height = 2 * height;
    const ctx = pen(canvas.getContext("2d"));
    ctx.scale(2, 2);
    ctx.fillStyle = inks.ground; ctx.fillRect(0, 0, width, height);
    this.compose(ctx, inks);
    canvas.toBlob((blob) => blob && save(blob, `${this.head.file}.png`));
  }

  svg() {
    const inks = this.inks(), ctx = new Svg(), [width, height] = this.compose(ctx, inks);
    save(new globalThis.Blob([ctx.document(width, height, inks.ground, inks.font)], { type: "image/svg+xml" }), `${this.head.file}.svg`);
  }
}

/** The 2nd to the 98.5th percentile off the diagonal. @param {Matrix} matrix */
export function spread(matrix) {
  const known = [], step = Math.max(1, Math.floor((matrix.size * matrix.size) / 40000));
  for (let i = 0, t = 0; i < matrix.size; i++) for (let j = 0; j < i; j++, t++) if (t % step === 0) { const v = matrix.at(i, j); if (v === v) known.push(v); }
  known.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => known[Math.round(share * (known.length - 1))];
  return known.length && at(0.985) > at(0.02) ? [at(0.02), at(0.985)] : [0, 1];
}

/** Diagonal lines under cells that nobody knows. */
function hatch(ctx, x, y, side, apart = 7) {
  ctx.strokeStyle = "rgba(128,132,138,0.55)"; ctx.lineWidth = 1;
  for (let k = apart; k < 2 * side; k += apart) {
    const a = Math.max(0, k - side), b = Math.min(side, k);
    ctx.line(x + a, y + k - a, x + b, y + k - b);
  }
}

/** @param {globalThis.Blob} blob @param {string} name */
function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const VIEWS = new WeakMap();

function show({ data, parentElement, setTriggerValue }) {
  let view = VIEWS.get(parentElement);
  if (!view) VIEWS.set(parentElement, (view = new View(parentElement.host ?? parentElement, parentElement)));
  // a call that is superseded while the module loads is cleaned up at once, after the next one was made
  const mine = (view.token = (view.token ?? 0) + 1);
  view.update(data, setTriggerValue);
  return () => {
    if (view.token === mine) { view.destroy(); VIEWS.delete(parentElement); }
  };
}

// the views of the page, which come in messages of their own and may have come before
STORE.show = show;
for (const begin of STORE.waiting?.splice(0) ?? []) begin();

export default function (component) {
  return component.data ? show(component) : () => {};
}
