// SPDX-License-Identifier: LGPL-2.1-or-later
// A mosaic stream as it arrives, and the frame that is due at a time (docs/mosaic-format.md, "Packets").

const PATIENCE = 12; // milliseconds for decoding, and for colours, before a picture is shown
const PACKET_BYTES = 24, MOST_PAYLOAD = 1 << 26;
const KIND = { KEY: 1, OTHER: 2, REPEATED: 3, INDEX: 4 };

class Film {
  constructor() {
    this.bytes = new Uint8Array(1 << 20);
    this.size = 0; // bytes that arrived
    this.parsed = 0;
    this.frames = []; // {kind, number, time, begin, end}: time in seconds, and where the payload is
    this.keys = []; // numbers of keyframes
    this.duration = 0;
    this.isWhole = false;
    this.at = -1; // the frame that was decoded last
    this.isWaiting = true; // for a keyframe: a frame is missing or damaged
    this.decoder = null;
    this.headerBytes = null;
  }

  /** Takes up bytes of the stream. Throws an Error where it is no mosaic stream. */
  add(bytes) {
    if (this.size + bytes.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.size + bytes.length));
      larger.set(this.bytes.subarray(0, this.size));
      this.bytes = larger;
    }
    this.bytes.set(bytes, this.size);
    this.size += bytes.length;
    while (this.addPacket());
  }

  addPacket() {
    const at = this.parsed, view = new DataView(this.bytes.buffer, at);
    if (this.size < at + PACKET_BYTES) return false;
    const payload = view.getUint32(16, true), kind = view.getUint8(5);
    if (view.getUint32(0, false) !== 0x4d4f5350 || view.getUint8(4) !== 1 || payload > MOST_PAYLOAD ||
        !Object.values(KIND).includes(kind))
      throw new Error("this is no mosaic stream, or it is damaged");
    const begin = at + PACKET_BYTES, end = begin + payload;
    if (this.size < end) return false;
    this.parsed = end;
    if (kind === KIND.INDEX) return true;
    if (this.frames.length === 0 && kind !== KIND.KEY) return true; // it begins before a keyframe
    const stamp = view.getBigUint64(8, true);
    if (kind === KIND.KEY) {
      const header = new Header(this.bytes.subarray(begin, end));
      this.keys.push(this.frames.length);
      this.pace = header.framesPerSecond > 0 && header.framesPerSecond < 1000 ? 1 / header.framesPerSecond : 1 / 25;
      this.header ??= header;
    }
    const last = this.frames[this.frames.length - 1];
    let time = stamp === 0xffffffffffffffffn ? null : Number(stamp) / 1e9;
    if (this.frames.length === 0) this.start = time ?? 0;
    time = time === null ? (last ? last.time + this.pace : 0) : time - this.start;
    if (last) time = Math.max(time, last.time);
    this.frames.push({ kind, number: view.getUint16(6, true), time, begin, end });
    this.duration = time + this.pace;
    return true;
  }

  /** The number of the frame that is shown at a time, in seconds; -1: none has arrived. */
  frameAt(time) {
    const last = countUntil(this.frames, frame => frame.time <= time + 1e-6) - 1;
    return Math.max(last, this.frames.length ? 0 : -1);
  }

  lastKeyUntil(frame) {
    return this.keys[countUntil(this.keys, key => key <= frame) - 1];
  }

  /** Decodes frames until `frame`, as far as patience goes. */
  advance(frame) {
    if (frame < 0 || frame === this.at) return;
    const key = this.lastKeyUntil(frame);
    let joined = false;
    if (this.at < 0 || frame < this.at || key > this.at + 50) {
      this.at = key - 1;
      joined = true;
    }
    const end = performance.now() + PATIENCE;
    let decoded = false;
    while (this.at < frame && (!decoded || performance.now() < end)) {
      this.decode(this.at + 1, joined);
      joined = false;
      decoded = true;
    }
  }

  /** Decodes a frame. After one that is missing or damaged, the last picture stays until a keyframe. */
  decode(at, joined) {
    const { kind, number, begin, end } = this.frames[at], before = this.frames[at - 1];
    this.at = at;
    this.isWaiting ||= !joined && before !== undefined && number !== (before.number + 1 & 0xffff);
    if (kind !== KIND.KEY && this.isWaiting) return;
    if (kind === KIND.REPEATED) return;
    joined ||= this.isWaiting;
    this.isWaiting = true;
    try {
      this.decodePayload(this.bytes.subarray(begin, end), kind === KIND.KEY, joined);
      this.isWaiting = false;
    } catch (error) {
      console.warn(`frame ${at}: ${error.message}`);
    }
  }

  decodePayload(payload, isKey, joined) {
    if (!isKey) return this.decoder.decode(payload, false, joined);
    const header = new Header(payload), bytes = payload.subarray(0, header.bytes);
    if (!this.decoder || !isEqual(bytes, this.headerBytes)) {
      if (header.pack !== this.header.pack || header.photos !== this.header.photos)
        throw new Error("the film goes on with another pack");
      this.decoder = new FrameDecoder(header);
      this.headerBytes = bytes.slice();
      joined = true;
    }
    this.decoder.decode(payload.subarray(header.bytes), true, joined);
  }
}

/** How many members a list has at its beginning for which something holds; it holds for none after them. */
function countUntil(list, holds) {
  let first = 0, end = list.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if (holds(list[middle])) first = middle + 1;
    else end = middle;
  }
  return first;
}

function isEqual(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
