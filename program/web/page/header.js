// SPDX-License-Identifier: LGPL-2.1-or-later
// The header of a mosaic stream (docs/mosaic-format.md, "Header").

const HEADER_BYTES = 73, FIELD_BYTES = 9;
const NEEDS = { NOTHING: 0, MEANS: 1, PICTURES: 2 };
const NUMBERS = [0, 15, 31]; // that are sent of a cell's source, by what is needed
const FIELD = { COLOR_TRANSFER: 4, REINHARD_L: 5, REINHARD_AB: 6, BLEND_MIN: 10, BLEND_MAX: 11, FIDELITY: 25 };
const MOST_CELLS = 1 << 18;

class Header {
  /** Reads the header at the beginning of a keyframe's payload. Throws an Error if it cannot be. */
  constructor(payload) {
    if (payload.length < HEADER_BYTES) throw new Error("the header of the mosaic is damaged");
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    const number = at => view.getUint32(at, true);
    this.width = number(0);
    this.height = number(4);
    this.aspect = number(8) / number(12);
    // Width / height of the photos, which are squeezed into squares.
    this.cellShape = payload[58] ? payload[58] / payload[59] : 1;
    this.framesPerSecond = number(16) / number(20);
    this.side = number(24);
    this.columns = number(28);
    this.rows = number(32);
    const hex = [];
    for (let i = 15; i >= 0; --i) hex.push(payload[36 + i].toString(16).padStart(2, "0"));
    this.pack = hex.join("");
    this.photos = number(52);
    this.augmentations = payload[56] ? 4 : 1;
    this.hues = payload[57];
    this.variants = this.augmentations * (1 + this.hues);
    this.fields = new Map();
    this.bytes = HEADER_BYTES + FIELD_BYTES * payload[72];
    if (payload.length < this.bytes) throw new Error("the header of the mosaic is damaged");
    for (let at = HEADER_BYTES; at < this.bytes; at += FIELD_BYTES)
      this.fields.set(payload[at], view.getFloat64(at + 1, true));
    this.layCells();
    if (!(this.photos > 0 && this.photos <= 1 << 24 && this.hues <= 12 && this.cells > 0 &&
          this.cells <= MOST_CELLS)) throw new Error("the header of the mosaic is damaged");
  }

  field(number) {
    return this.fields.get(number) ?? 0;
  }

  get fidelity() {
    return this.field(FIELD.FIDELITY);
  }

  get needs() {
    const pictures = [FIELD.COLOR_TRANSFER, FIELD.BLEND_MIN, FIELD.BLEND_MAX].some(i => this.field(i) > 0);
    return pictures ? NEEDS.PICTURES : this.fidelity > 0 ? NEEDS.MEANS : NEEDS.NOTHING;
  }

  /** The shape of the picture on the display, width : height. */
  get shape() {
    return this.width * this.aspect / this.height;
  }

  /** Where cells lie: of a picture of 1 x 1, cell (c, r) begins at left + c * cellWidth, top + r * cellHeight. */
  layCells() {
    let width = this.columns, height = this.rows, side = 1;
    if (this.side > 0) {
      side = this.side;
      width = this.width;
      height = this.height;
      const aspect = Math.min(16, Math.max(1 / 16, this.aspect / this.cellShape));
      if (aspect > 1) height = Math.max(1, Math.round(height / aspect));
      else width = Math.max(1, Math.round(width * aspect));
      this.columns = Math.ceil(width / side);
      this.rows = Math.ceil(height / side);
    }
    this.cells = this.columns * this.rows;
    this.left = -Math.floor((this.columns * side - width) / 2) / width;
    this.top = -Math.floor((this.rows * side - height) / 2) / height;
    this.cellWidth = side / width;
    this.cellHeight = side / height;
  }
}
