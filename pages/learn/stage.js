/**
 * The picture of a lesson: panels of marks in SVG, numbers under them, and a formula whose symbols are bound to the
 * controls of the page. While a slider's thumb moves, the frames that the server has sent for its stops are shown; what a
 * visitor clicks, places or drags goes to the server, which draws anew.
 *
 * @typedef {{ kind: string, x?: number[], y?: number[], [more: string]: any }} Mark
 * @typedef {{ low: number, high: number, title: string, ticks: [number, string][] }} Axis
 * @typedef {{ title: string, note: string, alt: string, x: Axis, y: Axis, aspect: number, weight: number, least: number,
 *   bare: boolean, place: boolean, marks: Mark[] }} Panel
 * @typedef {{ panels: Panel[], readings: [string, string][] }} Picture
 * @typedef {{ name: string, stops: number[], frames: Record<string, any>[] | null, play: boolean }} Follow
 */
const NS = "http://www.w3.org/2000/svg";
const LEFT = 46, RIGHT = 12, TOP = 8, BOTTOM = 40;

/** @returns {any} */
function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @returns {any} */
function drawn(tag, attributes = {}) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== null) made.setAttribute(name, value);
  return made;
}

const INKS = { ink: "var(--st-text-color)", muted: "var(--st-gray-text-color)", ground: "var(--st-background-color)", edge: "var(--st-border-color)" };
const ink = (colour) => INKS[colour] ?? colour ?? INKS.ink;
/** Text asks for more contrast than a mark: its colour is near the ink, and tells the hue. */
const written = (colour) => (INKS[colour] || !colour ? ink(colour) : `color-mix(in oklab, ${colour} 45%, ${INKS.ink})`);
const at = (value, k) => (Array.isArray(value) ? value[k] : value);

export class View {
  constructor(parent) {
    this.parent = parent;
    this.root = parent.querySelector(".stage") ?? parent.appendChild(element("div", { class: "stage" }));
    this.moving = {}; // name of a control -> the stop its thumb shows
    this.watched = new Map();
    this.asked = new Set();
    this.observer = new ResizeObserver(() => this.width !== this.root.clientWidth && this.draw());
    this.observer.observe(this.root);
  }

  update({ data, setTriggerValue }) {
    this.tell = setTriggerValue;
    this.data = data;
    if (this.digest !== data.digest) this.asked.clear();
    this.digest = data.digest;
    if (this.grabbed) return; // what was asked for when the item was touched; the picture under the pointer stays
    if (!this.dragging) this.moving = {};
    if (!this.dragged) this.held = null;
    this.build();
    this.draw();
    this.watch();
  }

  destroy() {
    this.observer.disconnect();
    cancelAnimationFrame(this.playing);
    for (const { stop } of this.watched.values()) stop();
  }

  /** What the page looks like now: the picture, or the frame of the stop that a thumb shows. */
  picture() {
    const dragged = this.held && this.data.drags?.frames[this.held[0]]?.[this.held[1]];
    if (dragged) return patched(this.data.picture, dragged);
    for (const follow of this.data.follows) {
      const stop = this.moving[follow.name];
      if (stop !== undefined && follow.frames?.[stop]) return patched(this.data.picture, follow.frames[stop]);
    }
    return this.data.picture;
  }

  build() {
    const { picture, formula, follows } = this.data;
    this.focused = this.root.getRootNode().activeElement?.dataset?.id;
    this.root.replaceChildren();
    this.tools = element("div", { class: "tools" });
    for (const follow of follows.filter((each) => each.play)) {
      const button = element("button", { type: "button", "aria-label": `Play ${follow.label}`, title: `Play ${follow.label}` });
      button.textContent = `▶ ${follow.label}`;
      button.addEventListener("click", () => this.play(follow, button));
      this.tools.append(button);
    }
    this.row = element("div", { class: "row" });
    this.figures = picture.panels.map((panel) => {
      const body = element("div", { class: "body" });
      const figure = element("figure", { style: `flex: ${panel.weight} 1 ${panel.least}px` }, [element("figcaption"), body]);
      this.row.append(figure);
      return figure;
    });
    this.said = element("div", { class: "said" });
    this.formula = element("p", { class: "formula", role: "group", "aria-label": "Formula; its symbols lead to their controls" });
    for (const part of formula) this.formula.append(this.part(part));
    this.root.append(...(this.tools.childElementCount ? [this.tools] : []), this.row, this.said, ...(formula.length ? [this.formula] : []));
  }

  part({ text, style, symbol, title }) {
    const tag = style.endsWith("sup") ? "sup" : style.endsWith("sub") ? "sub" : "span";
    const inner = style.startsWith("i") || symbol ? element("i") : null;
    const made = symbol ? element("button", { type: "button", class: "symbol", "data-symbol": symbol, title: title ?? "" }) : element("span");
    (inner ?? made).textContent = text;
    if (inner) made.append(inner);
    if (symbol) {
      made.addEventListener("click", () => this.touch(symbol, true));
      made.addEventListener("pointerenter", () => this.light(symbol, true));
      made.addEventListener("pointerleave", () => this.light(symbol, false));
    }
    return tag === "span" ? made : element(tag, {}, [made]);
  }

  /** The container of a control on the page. */
  control(name) {
    return document.querySelector(`.st-key-${CSS.escape(name.replace(/[^A-Za-z0-9_-]/g, "-"))}`);
  }

  light(name, on) {
    for (const symbol of this.root.querySelectorAll(".symbol")) if (symbol.dataset.symbol === name) symbol.classList.toggle("lit", on);
    const control = this.control(name);
    if (control) control.style.outline = on ? "2px solid var(--st-primary-color)" : "";
    if (control) control.style.outlineOffset = "3px";
  }

  touch(name, focus) {
    const control = this.control(name);
    control?.scrollIntoView({ block: "nearest" });
    const ways = ["input[type=range]", "input", "[role=radio]", "button"];
    if (focus) ways.map((way) => control?.querySelector(way)).find(Boolean)?.focus();
  }

  /** Listens to the controls of the page: their thumbs while they move, and where the pointer or the keyboard is. */
  watch() {
    const names = new Set([...this.data.follows.map((each) => each.name), ...this.data.formula.map((each) => each.symbol).filter(Boolean)]);
    for (const [name, { control, stop }] of this.watched) if (!names.has(name) || !control.isConnected) { stop(); this.watched.delete(name); }
    for (const name of names) {
      const control = this.control(name);
      if (!control || this.watched.has(name)) continue;
      const on = () => { this.light(name, true); this.want(name); }, off = () => this.light(name, false);
      const moved = new MutationObserver(() => this.follow(name, control));
      moved.observe(control, { subtree: true, attributes: true, attributeFilter: ["aria-valuetext", "value"] });
      const held = () => { this.dragging = name; }, left = () => { this.dragging = null; };
      control.addEventListener("pointerenter", on);
      control.addEventListener("focusin", on);
      control.addEventListener("pointerleave", off);
      control.addEventListener("focusout", off);
      control.addEventListener("pointerdown", held);
      window.addEventListener("pointerup", left);
      this.watched.set(name, { control, stop: () => {
        moved.disconnect();
        for (const [event, listener] of [["pointerenter", on], ["focusin", on], ["pointerleave", off], ["focusout", off], ["pointerdown", held]]) control.removeEventListener(event, listener);
        window.removeEventListener("pointerup", left);
        control.style.outline = "";
      } });
    }
  }

  /** Frames are sent when somebody comes near the control that they follow. */
  want(name) {
    const follow = this.data.follows.find((each) => each.name === name);
    if (!follow || follow.frames || this.asked.has(name)) return;
    this.asked.add(name);
    this.tell("wanted", name);
  }

  /** Pictures at the stops of an item are sent when somebody comes near it. */
  near(name) {
    if (this.dragged || this.data.drags.item === name) return;
    clearTimeout(this.later);
    this.later = setTimeout(() => this.tell("held", name), 60);
  }

  follow(name, control) {
    const follow = this.data.follows.find((each) => each.name === name);
    const thumb = control.querySelector("input[type=range]");
    if (!follow?.frames || !thumb) return;
    const now = Number(thumb.value);
    const stop = follow.indexed ? now : nearest(follow.stops, now);
    if (this.moving[name] === stop) return;
    this.moving = { [name]: stop };
    this.soon();
  }

  soon() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => { this.due = 0; this.draw(); });
  }

  play(follow, button) {
    if (this.playing) return this.pause(follow, button);
    if (!follow.frames) { this.asked.add(follow.name); this.waiting = follow.name; this.tell("wanted", follow.name); return; }
    let stop = 0, before = 0;
    const step = (time) => {
      if (time - before > 3500 / follow.stops.length) {
        before = time;
        this.moving = { [follow.name]: stop };
        this.draw();
        stop += 1;
      }
      if (stop >= follow.stops.length) return this.pause(follow, button);
      this.playing = requestAnimationFrame(step);
    };
    button.textContent = `❚❚ ${follow.label}`;
    this.playing = requestAnimationFrame(step);
  }

  pause(follow, button) {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    button.textContent = `▶ ${follow.label}`;
    this.tell("played", [follow.name, this.moving[follow.name] ?? 0]);
  }

  draw() {
    this.width = this.root.clientWidth;
    if (!this.data || !this.width) return;
    const picture = this.picture();
    picture.panels.forEach((panel, k) => this.panel(panel, this.figures[k], k));
    this.focused = undefined;
    this.said.replaceChildren(...picture.readings.map(([name, value]) => element("span", {}, [element("small", {}, [name]), element("b", {}, [value])])));
    const follow = this.waiting && this.data.follows.find((each) => each.name === this.waiting && each.frames);
    if (follow) {
      this.waiting = null;
      const button = [...this.tools.children].find((each) => each.textContent.endsWith(follow.label));
      if (button) this.play(follow, button);
    }
  }

  panel(panel, figure, place) {
    const [caption, body] = figure.children;
    caption.replaceChildren(element("strong", {}, [panel.title]), ...(panel.note ? [element("small", {}, [panel.note])] : []));
    const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 15;
    const width = body.clientWidth, share = getComputedStyle(this.root).getPropertyValue("--larger") ? 0.42 : 0.56, most = Math.max(200, window.innerHeight * share);
    const [left, bottom] = panel.bare ? [6, 6] : [LEFT * scale, BOTTOM * scale], right = panel.bare ? 6 : RIGHT, top = TOP;
    let inner = width - left - right, high = inner * panel.aspect;
    if (high > most) { inner *= panel.stretch ? 1 : most / high; high = most; }
    const box = { left: left + (width - left - right - inner) / 2, top, width: inner, height: high, scale };
    const svg = drawn("svg", { width, height: high + top + bottom, role: panel.marks.some((mark) => mark.ids) ? "group" : "img", "aria-label": panel.alt, "font-size": 12 * scale });
    const X = (v) => box.left + ((v - panel.x.low) / (panel.x.high - panel.x.low)) * box.width;
    const Y = (v) => box.top + box.height - ((v - panel.y.low) / (panel.y.high - panel.y.low)) * box.height;
    const clip = `clip${place}`;
    svg.append(drawn("defs"));
    svg.firstChild.append(drawn("clipPath", { id: clip }));
    svg.firstChild.firstChild.append(drawn("rect", { x: box.left, y: box.top, width: box.width, height: box.height }));
    if (!panel.bare) axes(svg, panel, box, X, Y);
    const inside = drawn("g", { "clip-path": `url(#${clip})` }), above = drawn("g");
    svg.append(inside, above);
    for (const mark of panel.marks) MARKS[mark.kind](mark, mark.kind === "points" || mark.kind === "text" ? above : inside, X, Y, box);
    const focused = this.root.getRootNode().activeElement?.dataset?.id ?? this.focused;
    body.replaceChildren(svg);
    this.answers(panel, place, svg, box, X, Y);
    if (focused !== undefined) body.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Clicks on items, on the plane between them, and items that are dragged; by keyboard, too. */
  answers(panel, place, svg, box, X, Y) {
    const undo = (event) => {
      const now = this.figures[place].querySelector("svg"), frame = now.getBoundingClientRect(); // drawn anew while an item is dragged
      const x = (event.clientX - frame.left) * (now.width.baseVal.value / frame.width), y = (event.clientY - frame.top) * (now.height.baseVal.value / frame.height);
      return [panel.x.low + ((x - box.left) / box.width) * (panel.x.high - panel.x.low), panel.y.low + ((box.top + box.height - y) / box.height) * (panel.y.high - panel.y.low)];
    };
    for (const item of svg.querySelectorAll("[data-id]")) {
      const name = item.dataset.id, movable = item.dataset.move === "1";
      item.addEventListener("click", (event) => { event.stopPropagation(); if (!this.dragged) this.tell("picked", [place, name]); });
      item.addEventListener("keydown", (event) => this.key(event, panel, place, item, movable));
      if (!movable) continue;
      item.addEventListener("pointerdown", (event) => this.drag(event, panel, place, item, undo, X, Y));
      if (this.data.drags) for (const near of ["pointerenter", "focus"]) item.addEventListener(near, () => this.near(name));
    }
    if (!panel.place) return;
    svg.style.cursor = "crosshair";
    svg.addEventListener("click", (event) => {
      const [x, y] = undo(event);
      if (!this.dragged && x >= panel.x.low && x <= panel.x.high && y >= panel.y.low && y <= panel.y.high) this.tell("placed", [place, x, y]);
    });
  }

  /** A dragged item keeps to one direction where the server has sent the pictures at its stops: these are shown meanwhile. */
  drag(event, panel, place, item, undo, X, Y) {
    event.preventDefault();
    const body = item.closest(".body"), name = item.dataset.id; // the picture is drawn anew below the pointer
    this.dragged = false;
    this.grabbed = true;
    const home = [Number(item.dataset.x), Number(item.dataset.y)], begin = [event.clientX, event.clientY];
    let way = -1, here = home;
    const move = (now) => {
      const by = [now.clientX - begin[0], now.clientY - begin[1]].map(Math.abs);
      if (way < 0 && Math.max(...by) < 4) return;
      if (way < 0) {
        way = by[0] > by[1] ? 0 : 1;
        this.dragged = true;
        body.setPointerCapture(event.pointerId);
      }
      const [x, y] = undo(now).map((v, k) => Math.min(Math.max(v, [panel.x, panel.y][k].low), [panel.x, panel.y][k].high));
      const stops = this.data.drags?.item === name && this.data.drags.stops[way];
      if (stops) {
        this.held = [way, nearest(stops, [x, y][way])];
        here = home.map((v, k) => (k === way ? stops[this.held[1]] : v));
        this.soon();
      } else {
        here = [x, y];
        item.setAttribute("transform", `translate(${X(x)} ${Y(y)})`);
      }
    };
    const end = () => {
      for (const [kind, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) body.removeEventListener(kind, listener);
      this.grabbed = false;
      if (this.dragged) this.tell("moved", [place, name, ...here]);
      setTimeout(() => { this.dragged = false; });
    };
    for (const [kind, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) body.addEventListener(kind, listener);
  }

  key(event, panel, place, item, movable) {
    const name = item.dataset.id, ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key === "Enter" || event.key === " ") this.tell("picked", [place, name]);
    else if (movable && (event.key === "Delete" || event.key === "Backspace")) this.tell("removed", [place, name]);
    else if (movable && ways[event.key]) {
      const [dx, dy] = ways[event.key];
      const step = (axis) => (axis.high - axis.low) / 40;
      this.tell("moved", [place, name, Number(item.dataset.x) + dx * step(panel.x), Number(item.dataset.y) + dy * step(panel.y)]);
    } else return;
    event.preventDefault();
  }
}
