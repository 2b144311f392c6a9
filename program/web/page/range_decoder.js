// SPDX-License-Identifier: LGPL-2.1-or-later
// The binary range coder of docs/mosaic-format.md, "The code of a frame".

const HALF = 1 << 14, ONE = 1 << 15;

/** What was learnt of bits: two averages of each model. */
class Models {
  constructor(count) {
    this.fast = new Uint16Array(count);
    this.slow = new Uint16Array(count);
    this.reset();
  }
  reset() {
    this.fast.fill(HALF);
    this.slow.fill(HALF);
  }
}

/** Reads bits from the code of one frame. Throws an Error where the code ends too early. */
class RangeDecoder {
  constructor(code, models) {
    this.code = code;
    this.models = models;
    this.at = 0;
    this.range = 0xffffffff;
    this.value = 0;
    for (let i = 0; i < 4; ++i) this.value = this.value * 256 + this.byte();
  }

  byte() {
    if (this.at >= this.code.length + 8) throw new Error("a frame of the mosaic ends too early");
    const byte = this.at < this.code.length ? this.code[this.at] : 0;
    ++this.at;
    return byte;
  }

  normalise() {
    while (this.range < 1 << 24) {
      this.range *= 256;
      this.value = this.value * 256 + this.byte();
    }
  }

  /** A bit with a model. */
  bit(model) {
    const { fast, slow } = this.models;
    const f = fast[model], s = slow[model];
    const zero = (this.range >>> 15) * ((f + s + 1) >> 1);
    const bit = this.value < zero ? 0 : 1;
    if (bit) {
      this.value -= zero;
      this.range -= zero;
    } else {
      this.range = zero;
    }
    const target = bit ? 0 : ONE;
    fast[model] = f + Math.trunc((target - f) / 16);
    slow[model] = s + Math.trunc((target - s) / 128);
    if (this.range < 1 << 24) this.normalise();
    return bit;
  }

  /** A number of so many bits, without models. */
  plain(bits) {
    let number = 0;
    for (let i = 0; i < bits; ++i) {
      this.range = Math.floor(this.range / 2);
      const bit = this.value < this.range ? 0 : 1;
      if (bit) this.value -= this.range;
      number = number * 2 + bit;
      this.normalise();
    }
    return number;
  }

  /** A number of so many bits, where each bit has a model for each value of the bits before it. */
  tree(first, bits) {
    let node = 1;
    for (let i = 0; i < bits; ++i) node = 2 * node + this.bit(first + node);
    return node - (1 << bits);
  }
}
