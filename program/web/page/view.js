// SPDX-License-Identifier: LGPL-2.1-or-later
// Which part of the mosaic the canvas shows, and how wheel, mouse, fingers and keys change it.

const CLOSEST = 1.6; // how large a photo can become, in the shorter sides of the canvas
const FLIGHT = 700; // milliseconds

class View {
  constructor(canvas, header) {
    this.canvas = canvas;
    this.header = header;
    this.pointers = new Map();
    this.flight = null;
    this.onPoint = () => {};
    this.showWhole();
    this.listen();
  }

  /** How many times the mosaic is as wide as the canvas where it is shown whole. */
  get wholeScale() {
    const canvasShape = this.canvas.width / this.canvas.height;
    return Math.min(1, this.header.shape / canvasShape);
  }

  get closestScale() {
    const { width, height } = this.canvas;
    return CLOSEST * Math.min(width, height) / width / this.header.cellWidth;
  }

  showWhole() {
    this.isWhole = true;
    this.centre = { x: 0.5, y: 0.5 };
    this.scale = this.wholeScale;
  }

  /** The part that is shown, of a mosaic of 1 x 1; it reaches beyond where that has another shape. */
  get part() {
    if (this.isWhole) this.scale = this.wholeScale;
    const width = 1 / this.scale;
    const height = width * this.header.shape * this.canvas.height / this.canvas.width;
    return { x: this.centre.x - width / 2, y: this.centre.y - height / 2, width, height };
  }

  /** The number of the cell at a point of a mosaic of 1 x 1; -1: there is none. */
  cellAt({ x, y }) {
    const { header } = this;
    if (x < 0 || y < 0 || x >= 1 || y >= 1) return -1;
    const column = Math.floor((x - header.left) / header.cellWidth);
    const row = Math.floor((y - header.top) / header.cellHeight);
    return column < header.columns && row < header.rows ? row * header.columns + column : -1;
  }

  /** The numbers of the cells of which a part is shown. */
  get visible() {
    const { header, part } = this, cells = [];
    const range = (begin, size, first, step, count) => [
      Math.max(0, Math.floor((begin - first) / step)),
      Math.min(count - 1, Math.floor((begin + size - first) / step))];
    const [left, right] = range(part.x, part.width, header.left, header.cellWidth, header.columns);
    const [top, bottom] = range(part.y, part.height, header.top, header.cellHeight, header.rows);
    for (let row = top; row <= bottom; ++row)
      for (let column = left; column <= right; ++column) cells.push(row * header.columns + column);
    return cells;
  }

  /** The point of the mosaic at a place of the window. */
  pointAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect(), { part } = this;
    return { x: part.x + (clientX - box.left) / box.width * part.width,
      y: part.y + (clientY - box.top) / box.height * part.height };
  }

  /** Zooms by a factor; the point stays where it is. */
  zoom(factor, point) {
    const before = this.scale;
    this.scale = Math.min(Math.max(this.scale * factor, this.wholeScale), this.closestScale);
    const kept = before / this.scale;
    this.move({ x: point.x + (this.centre.x - point.x) * kept, y: point.y + (this.centre.y - point.y) * kept });
  }

  /** Moves the centre, but not so far that the mosaic leaves the canvas. */
  move(centre) {
    this.flight = null;
    this.isWhole = this.scale <= this.wholeScale * 1.0001;
    const { width, height } = this.part;
    const within = (at, size) => (size >= 1 ? 0.5 : Math.min(Math.max(at, size / 2), 1 - size / 2));
    this.centre = { x: within(centre.x, width), y: within(centre.y, height) };
  }

  /** Flies to a cell, or back to the whole mosaic. */
  flyTo(cell, now) {
    const { header } = this, column = cell % header.columns, row = Math.floor(cell / header.columns);
    const to = cell < 0 ? { x: 0.5, y: 0.5, scale: this.wholeScale } : {
      x: header.left + (column + 0.5) * header.cellWidth,
      y: header.top + (row + 0.5) * header.cellHeight,
      scale: this.closestScale / CLOSEST * 0.9 };
    this.flight = { from: { ...this.centre, scale: this.scale }, to, begin: now };
  }

  /** Goes on with a flight. The point that is flown to keeps its way straight on the canvas. */
  advance(now) {
    if (!this.flight) return;
    const { flight } = this, { from, to, begin } = flight;
    const t = Math.min(1, (now - begin) / FLIGHT), eased = t * t * (3 - 2 * t);
    this.scale = from.scale * (to.scale / from.scale) ** eased;
    const change = 1 / to.scale - 1 / from.scale;
    const share = Math.abs(change) < 1e-9 ? eased : (1 / this.scale - 1 / from.scale) / change;
    this.move({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
    this.flight = t < 1 ? flight : null;
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
      this.zoom(Math.exp(-pixels / 400), this.pointAt(event.clientX, event.clientY));
    }, { passive: false });
    canvas.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, event);
    });
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, event => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointermove", event => {
      if (event.buttons === 0) this.pointers.delete(event.pointerId); // its end was not told
      if (this.pointers.has(event.pointerId)) this.drag(event);
      this.onPoint(event);
    });
    canvas.addEventListener("dblclick", event => {
      const cell = this.cellAt(this.pointAt(event.clientX, event.clientY));
      this.flyTo(this.scale > this.closestScale / 4 ? -1 : cell, performance.now());
    });
  }

  /** One pointer moves the mosaic; two zoom it, too. */
  drag(event) {
    const before = [...this.pointers.values()];
    this.pointers.set(event.pointerId, event);
    const after = [...this.pointers.values()];
    const middle = list => list.reduce((sum, { clientX, clientY }) =>
      ({ x: sum.x + clientX / list.length, y: sum.y + clientY / list.length }), { x: 0, y: 0 });
    const apart = list => Math.hypot(list[0].clientX - list[1].clientX, list[0].clientY - list[1].clientY);
    const from = middle(before), to = middle(after);
    const old = this.pointAt(from.x, from.y), now = this.pointAt(to.x, to.y);
    this.move({ x: this.centre.x + old.x - now.x, y: this.centre.y + old.y - now.y });
    if (after.length === 2) this.zoom(apart(after) / Math.max(apart(before), 1), this.pointAt(to.x, to.y));
  }

  /** @return whether the key changed the view */
  key(name, now) {
    const { part } = this, step = 0.1;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (name in moves)
      this.move({ x: this.centre.x + moves[name][0] * part.width, y: this.centre.y + moves[name][1] * part.height });
    else if (name === "+" || name === "=") this.zoom(1.25, this.centre);
    else if (name === "-") this.zoom(1 / 1.25, this.centre);
    else if (name === "0" || name === "Escape") this.flyTo(-1, now);
    else return false;
    return true;
  }
}
