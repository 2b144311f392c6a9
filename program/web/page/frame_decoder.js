// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames of a mosaic stream: what each cell shows (docs/mosaic-format.md, "The code of a frame").

const WHOLE_SHARE = 1 << 16;
const MODEL = (() => {
  const model = { ANY: 0, AT_ONCE: 1, IN_FADE: 2, REGION: 3, CHANGED: 4, DRAWN: 20, PHOTO: 52 };
  model.VARIANT = model.PHOTO + (1 << 12);
  model.NUMBERS = model.VARIANT + 64;
  return model;
})();
// Models of one number: 3 of whether it differs, its sign, its length, and its second bit.
const NUMBER = { NEGATIVE: 3, LONGER: 4, SECOND: 22, COUNT: 40 };
const MOST_BITS = 17;
const CONTINUES = 3;

class FrameDecoder {
  constructor(header) {
    this.header = header;
    this.count = NUMBERS[header.needs];
    const cells = header.cells;
    this.models = new Models(MODEL.NUMBERS + 2 * this.count * NUMBER.COUNT);
    this.tile = new Int32Array(cells); // that the frame wants
    this.shown = new Int32Array(cells).fill(-1); // in a crossfade, the new tile
    this.old = new Int32Array(cells).fill(-1); // in a crossfade, the old tile, or else -1
    this.share = new Int32Array(cells).fill(WHOLE_SHARE); // of the new tile
    this.region = new Uint8Array(cells);
    this.numbers = new Int32Array(cells * this.count);
    this.changed = new Uint8Array(cells);
    this.drawn = new Uint8Array(cells);
    this.atOnce = new Uint8Array(cells);
    this.dirty = new Uint8Array(cells); // what has to be painted again; whoever does so sets it to 0
    this.photoBits = bitsOf(header.photos - 1);
    this.variantBits = bitsOf(header.variants - 1);
  }

  /** Takes up a frame. @param joined whether it does not follow the frame before */
  decode(code, key, joined) {
    const coder = new RangeDecoder(code, this.models);
    if (key) this.models.reset();
    const continues = coder.plain(2) === CONTINUES && !joined;
    const blend = coder.plain(5);
    if (blend > 16) throw new Error("a crossfade is too long");
    if (key) {
      this.changed.fill(0);
      this.drawn.fill(0);
    }
    if (!key && !coder.bit(MODEL.ANY)) {
      this.changed.fill(0);
      this.drawn.fill(0);
      this.atOnce.fill(0);
    } else {
      for (let cell = 0; cell < this.header.cells; ++cell) this.readCell(coder, cell, key, joined, blend);
    }
    for (let cell = 0; cell < this.header.cells; ++cell) {
      const frames = continues && !this.atOnce[cell] ? blend : 0;
      if (!(joined && key)) this.advance(cell, frames);
      if (this.drawn[cell]) this.dirty[cell] = 1;
    }
    if (joined) this.dirty.fill(1);
  }

  readCell(coder, cell, key, joined, blend) {
    let changed = 1;
    if (!key) changed = this.changed[cell] = coder.bit(MODEL.CHANGED + this.around(this.changed, cell));
    if (changed) this.tile[cell] = this.readTile(coder);
    this.atOnce[cell] = blend > 0 ? coder.bit(MODEL.AT_ONCE) : 0;
    if (key) this.readFade(coder, cell, joined, blend);
    const region = coder.bit(MODEL.REGION);
    const inRegion = key ? region : this.region[cell] ^ region;
    if (inRegion !== this.region[cell]) this.dirty[cell] = 1;
    this.region[cell] = inRegion;
    if (this.count > 0)
      this.drawn[cell] = coder.bit(MODEL.DRAWN + 16 * changed + this.around(this.drawn, cell));
    if (this.count > 0 && (key || this.drawn[cell])) this.readNumbers(coder, cell, key);
  }

  readTile(coder) {
    const plain = Math.max(this.photoBits - 12, 0);
    const high = coder.tree(MODEL.PHOTO, this.photoBits - plain);
    const photo = high * (1 << plain) + coder.plain(plain);
    const variant = coder.tree(MODEL.VARIANT, this.variantBits);
    if (photo >= this.header.photos || variant >= this.header.variants)
      throw new Error("a cell shows a tile that does not exist");
    return photo + this.header.photos * variant;
  }

  /** What a cell shows in a keyframe; it counts only where frames before are not known. */
  readFade(coder, cell, joined, blend) {
    let tile = this.tile[cell], old = -1, share = WHOLE_SHARE;
    if (blend > 0 && coder.bit(MODEL.IN_FADE)) {
      tile = this.readTile(coder);
      share = coder.plain(17);
      if (share < 1 || share > WHOLE_SHARE) throw new Error("a crossfade has an impossible share");
      if (share < WHOLE_SHARE) old = this.readTile(coder);
    }
    if (!joined) return;
    this.shown[cell] = tile;
    this.old[cell] = old;
    this.share[cell] = share;
  }

  readNumbers(coder, cell, key) {
    const { columns } = this.header, { count, numbers } = this, at = cell * count;
    const left = cell % columns !== 0 ? at - count : -1;
    const from = !key ? at : left >= 0 ? left : cell >= columns ? at - columns * count : -1;
    let before = 0, last = 0; // whether the two numbers before differ
    for (let i = 0; i < count; ++i) {
      const model = MODEL.NUMBERS + ((key ? 1 : 0) * count + i) * NUMBER.COUNT;
      let delta = 0;
      if (coder.bit(model + before + last)) delta = readDelta(coder, model);
      before = last;
      last = delta !== 0 ? 1 : 0;
      numbers[at + i] = (from >= 0 ? numbers[from + i] : 0) + delta;
      if (Math.abs(numbers[at + i]) >= 1 << 17) throw new Error("a number of the mosaic is out of range");
    }
  }

  /** How many cells around have a flag, in this frame and the one before: 0 to 15. */
  around(flags, cell) {
    const { columns, rows } = this.header;
    const column = cell % columns, row = (cell - column) / columns;
    const left = column > 0, right = column + 1 < columns, above = cell - columns, below = cell + columns;
    let now = left ? flags[cell - 1] : 0;
    if (row > 0) now += flags[above] + (left ? flags[above - 1] : 0) + (right ? flags[above + 1] : 0);
    let then = flags[cell] + (right ? flags[cell + 1] : 0);
    if (row + 1 < rows) then += flags[below] + (left ? flags[below - 1] : 0) + (right ? flags[below + 1] : 0);
    return Math.min(now, 3) * 4 + Math.min(then, 3);
  }

  /** Goes on with a cell's crossfade by a frame, as mosaic/drawing/fades.cpp. */
  advance(cell, frames) {
    const wanted = this.tile[cell];
    if (this.old[cell] < 0 && this.shown[cell] === wanted) return;
    this.dirty[cell] = 1;
    if (frames === 0 || this.shown[cell] < 0) {
      this.shown[cell] = wanted;
      this.old[cell] = -1;
      this.share[cell] = WHOLE_SHARE;
      return;
    }
    const pace = Math.floor((WHOLE_SHARE + frames) / (frames + 1));
    if (this.old[cell] < 0) {
      this.old[cell] = this.shown[cell];
      this.shown[cell] = wanted;
      this.share[cell] = pace;
      return;
    }
    if (this.shown[cell] !== wanted && (this.old[cell] === wanted || this.share[cell] < WHOLE_SHARE / 2)) {
      [this.shown[cell], this.old[cell]] = [this.old[cell], this.shown[cell]];
      this.share[cell] = WHOLE_SHARE - this.share[cell];
    }
    const more = this.shown[cell] === wanted ? pace : 2 * pace;
    this.share[cell] = Math.min(this.share[cell] + more, WHOLE_SHARE);
    if (this.share[cell] === WHOLE_SHARE) this.old[cell] = -1;
  }
}

function readDelta(coder, model) {
  const negative = coder.bit(model + NUMBER.NEGATIVE);
  let bits = 1;
  while (coder.bit(model + NUMBER.LONGER + bits - 1))
    if (++bits > MOST_BITS) throw new Error("a number of the mosaic is out of range");
  let size = 1;
  if (bits > 1) size = 2 + coder.bit(model + NUMBER.SECOND + bits - 1);
  if (bits > 2) size = size * (1 << (bits - 2)) + coder.plain(bits - 2);
  return negative ? -size : size;
}

function bitsOf(number) {
  return number > 0 ? 32 - Math.clz32(number) : 0;
}
