// SPDX-License-Identifier: LGPL-2.1-or-later
// The photos: fetched in pages of several sizes when something of them is visible, and kept in slots of
// textures. A level is a size; a slot is a square of a layer of that level's texture.

const LAYER = 1024; // pixels along a side of a layer, and of a page
const LEVELS = [
  { side: 32, sharp: 2, perPage: 1024, layers: 32 },
  { side: 128, sharp: 0.9, perPage: 64, layers: 32 },
  { side: 512, sharp: 0.9, perPage: 1, layers: 24 },
  { side: 1024, sharp: 0.9, perPage: 1, layers: 8 },
];
const AT_ONCE = 6; // pages that are fetched at the same time
const MOST_SPREADS = 100000;

class Photos {
  /** @param about what photos.json says: {hash, names, sides} */
  constructor(gl, about) {
    this.gl = gl;
    this.names = about.names;
    this.hash = about.hash; // so that a browser does not take the pages of another pack
    this.sides = about.sides;
    this.levels = LEVELS.map(level => new Level(gl, level, about.names.length));
    this.pages = new Set(); // being fetched
    this.failures = new Map(); // of pages: how often, and from when on it is tried again
    this.fetching = 0;
    this.keepsColours = false; // whether a look needs them
    this.pixels = new Map(); // of photos at the first level, for their colours
    this.spreads = new Map(); // of tiles
    this.slots = new Int16Array(4 * Math.ceil(about.names.length / LAYER) * LAYER).fill(-1);
    this.slotTexture = gl.createTexture();
    this.slotsChanged = true;
    this.arrived = new Set(); // photos; whoever draws them again empties it
  }

  /** The level that suits photos of so many pixels. The small ones are at least twice as large, so that they
   * stay sharp. @param count of photos, which have to find room */
  levelFor(pixels, count = 0) {
    let level = LEVELS.findIndex(({ side, sharp }) => side >= pixels * sharp);
    if (level < 0) level = LEVELS.length - 1;
    while (level > 0 && count > this.levels[level].room) --level;
    return level;
  }

  /** Says which photos are visible, and how large; what is missing is fetched. */
  want(visible, pixels) {
    const wanted = new Map();
    const want = (photo, level) => {
      const page = `${level}/${Math.floor(photo / LEVELS[level].perPage)}`;
      if (!wanted.has(page)) wanted.set(page, []);
      wanted.get(page).push(photo);
    };
    const best = this.levelFor(pixels, visible.size);
    // More photos than there is room for would only replace each other.
    for (const photo of [...visible].slice(0, this.levels[0].room)) {
      // The smallest is needed in any case: it tells the colours.
      if (!this.levels[0].touch(photo)) want(photo, 0);
      for (let level = best; level > 0; --level) {
        // A photo that is no larger than the level below has nothing more to show.
        if (LEVELS[level - 1].side >= this.sides[photo]) continue;
        if (this.levels[level].touch(photo)) break;
        want(photo, level);
      }
    }
    this.wanted = wanted;
    this.fetchMore();
  }

  fetchMore() {
    // Small pages first, because something of all photos is better than all of some.
    const now = performance.now();
    const order = [...(this.wanted ?? [])].filter(([page]) =>
      !this.pages.has(page) && !(this.failures.get(page)?.next > now));
    order.sort((a, b) => parseInt(a[0]) - parseInt(b[0]) || b[1].length - a[1].length);
    for (const [page] of order) {
      if (this.fetching >= AT_ONCE) return;
      this.fetchPage(page);
    }
  }

  async fetchPage(page) {
    const [level, number] = page.split("/").map(Number);
    this.pages.add(page);
    ++this.fetching;
    try {
      const answer = await fetch(`tiles/${LEVELS[level].side}/${number}.jpg?${this.hash}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const bitmap = await createImageBitmap(await answer.blob());
      const columns = Math.sqrt(LEVELS[level].perPage);
      const pixels = pixelsOf(bitmap, columns * LEVELS[level].side);
      this.take(level, number, columns, pixels, this.photosToKeep(page, level, number));
      this.failures.delete(page);
    } catch (error) {
      const times = (this.failures.get(page)?.times ?? 0) + 1;
      this.failures.set(page, { times, next: performance.now() + Math.min(1000 * 2 ** times, 60000) });
      console.warn(`page ${page}: ${error.message}`);
    }
    this.pages.delete(page);
    --this.fetching;
    this.fetchMore();
  }

  /** All photos of a small page where there is room for all of the pack; or else those that are wanted. */
  photosToKeep(page, level, number) {
    if (level > 0 || this.levels[0].room < this.names.length) return this.wanted?.get(page) ?? [];
    const first = number * LEVELS[0].perPage, count = Math.min(LEVELS[0].perPage, this.names.length - first);
    return Array.from({ length: count }, (_, i) => first + i);
  }

  /** Whether nothing that is wanted now is still to come. */
  get isComplete() {
    return this.fetching === 0 && [...this.wanted.keys()].every(page => this.failures.has(page));
  }

  /** Takes photos of a page. */
  take(level, number, columns, pixels, photos) {
    const { side, perPage } = LEVELS[level];
    for (const photo of photos) {
      const place = photo - number * perPage;
      const x = place % columns * side, y = Math.floor(place / columns) * side;
      const tile = new Uint8Array(4 * side * side);
      for (let row = 0; row < side; ++row) {
        const at = 4 * ((y + row) * columns * side + x);
        tile.set(pixels.subarray(at, at + 4 * side), 4 * row * side);
      }
      if (level === 0 && this.keepsColours) this.pixels.set(photo, tile);
      const { slot, evicted } = this.levels[level].put(photo, tile);
      if (evicted >= 0) this.slots[4 * evicted + level] = -1;
      if (evicted >= 0 && level === 0) this.pixels.delete(evicted);
      this.slots[4 * photo + level] = slot;
      this.slotsChanged = true;
      this.arrived.add(photo);
    }
  }

  upload() {
    if (!this.slotsChanged) return;
    this.slotsChanged = false;
    const gl = this.gl;
    setTexture(gl, this.slotTexture, gl.RGBA16I, LAYER, this.slots.length / 4 / LAYER, gl.RGBA_INTEGER,
      gl.SHORT, this.slots);
  }

  /** The colours of a tile; null: not known yet. */
  spread(header, tile) {
    if (this.spreads.has(tile)) return this.spreads.get(tile);
    const pixels = this.pixels.get(tile % header.photos);
    if (!pixels) return null;
    const variant = Math.floor(tile / header.photos), labs = [];
    for (let i = 0; i < pixels.length; i += 4)
      labs.push(labOf(...inVariant(header, variant, pixels[i], pixels[i + 1], pixels[i + 2])));
    const spread = Spread.of(labs);
    if (this.spreads.size >= MOST_SPREADS) this.spreads.clear();
    this.spreads.set(tile, spread);
    return spread;
  }
}

/** The photos of one size that are in memory. */
class Level {
  constructor(gl, { side, layers }, photos) {
    this.gl = gl;
    this.side = side;
    this.columns = LAYER / side;
    const perLayer = this.columns * this.columns;
    this.layers = Math.min(layers, Math.ceil(photos / perLayer));
    this.room = this.free = this.layers * perLayer;
    this.photos = new Map(); // photo to slot, the one that was visible last at the end
    this.mips = Math.min(Math.log2(side), 5) + 1;
  }

  /** Notes that a photo is visible. @return whether it is here */
  touch(photo) {
    const slot = this.photos.get(photo);
    if (slot === undefined) return false;
    this.photos.delete(photo);
    this.photos.set(photo, slot);
    return true;
  }

  /** Puts a photo into a free slot, or in the place of the one that has not been visible for longest. */
  put(photo, pixels) {
    let slot = this.photos.get(photo), evicted = -1;
    if (slot === undefined && this.free > 0) {
      slot = --this.free;
    } else if (slot === undefined) {
      [evicted, slot] = this.photos.entries().next().value;
      this.photos.delete(evicted);
    }
    this.photos.set(photo, slot);
    this.texture ??= this.makeTexture();
    const gl = this.gl, perLayer = this.columns * this.columns, place = slot % perLayer;
    const x = place % this.columns * this.side, y = Math.floor(place / this.columns) * this.side;
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, this.texture);
    for (let mip = 0, side = this.side; mip < this.mips; ++mip, side /= 2) {
      gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, mip, x >> mip, y >> mip, Math.floor(slot / perLayer), side, side,
        1, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      pixels = halved(pixels, side);
    }
    return { slot, evicted };
  }

  makeTexture() {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
    gl.texStorage3D(gl.TEXTURE_2D_ARRAY, this.mips, gl.RGBA8, LAYER, LAYER, this.layers);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return texture;
  }
}

/** A picture of half the size. @param pixels RGBA, side x side */
function halved(pixels, side) {
  const half = side >> 1, small = new Uint8Array(4 * half * half);
  for (let y = 0; y < half; ++y)
    for (let x = 0; x < half; ++x)
      for (let c = 0; c < 4; ++c) {
        const at = 4 * (2 * y * side + 2 * x) + c, below = at + 4 * side;
        small[4 * (y * half + x) + c] =
          (pixels[at] + pixels[at + 4] + pixels[below] + pixels[below + 4] + 2) >> 2;
      }
  return small;
}

/** The pixels of a page, or of a photo at another size: RGBA. */
function pixelsOf(bitmap, side) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, side, side);
  bitmap.close();
  return context.getImageData(0, 0, side, side).data;
}
