// SPDX-License-Identifier: LGPL-2.1-or-later
// Draws the mosaic with WebGL2. What cells show is in textures; only cells that changed are drawn again while
// the view stays.

/** A texture with some texels for each cell. */
class CellData {
  constructor(gl, format, layout, type, cells, texels, array) {
    Object.assign(this, { gl, layout, type, texels });
    this.height = Math.ceil(cells * texels / DATA_WIDTH);
    this.values = new array(4 * DATA_WIDTH * this.height);
    this.texture = gl.createTexture();
    setTexture(gl, this.texture, format, DATA_WIDTH, this.height, layout, type, null);
    this.first = this.height;
    this.last = -1;
  }

  /** Where the values of a cell begin; they count as changed. */
  of(cell) {
    const at = cell * this.texels;
    this.first = Math.min(this.first, Math.floor(at / DATA_WIDTH));
    this.last = Math.max(this.last, Math.floor((at + this.texels - 1) / DATA_WIDTH));
    return 4 * at;
  }

  upload() {
    if (this.last < this.first) return;
    const gl = this.gl, rows = this.last - this.first + 1;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, this.first, DATA_WIDTH, rows, this.layout, this.type, this.values,
      4 * DATA_WIDTH * this.first);
    this.first = this.height;
    this.last = -1;
  }
}

class Painter {
  /** @param programs what other painters have compiled: by their constants, with the places of uniforms */
  constructor(gl, decoder, photos, programs) {
    const { header } = decoder, { cells } = header;
    Object.assign(this, { gl, decoder, header, photos, programs });
    this.cells = new CellData(gl, gl.RGBA32I, gl.RGBA_INTEGER, gl.INT, cells, 1, Int32Array);
    this.maps = new CellData(gl, gl.RGBA32F, gl.RGBA, gl.FLOAT, cells, 6, Float32Array);
    this.means = new CellData(gl, gl.RGBA32F, gl.RGBA, gl.FLOAT, cells, 5, Float32Array);
    this.pictures = new CellData(gl, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, cells, 16, Uint8Array);
    this.transfers = ![TRANSFER.NONE, TRANSFER.HISTOGRAM].includes(header.field(FIELD.COLOR_TRANSFER));
    photos.keepsColours ||= this.transfers;
    this.spreads = new Map(); // of cells' sources
    this.waiting = new Set(); // cells whose tiles' colours are not known yet
    this.changed = new Set(); // since they were last drawn
    this.fading = false; // whether any cell is in a crossfade
    this.isBehind = false; // whether cells are still to be taken up
    this.next = 0; // the cell to begin with
    this.list = gl.createBuffer();
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.list);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribIPointer(0, 1, gl.INT, 0, 0);
    this.makeSmall();
    this.lastView = "";
  }

  /** Gives the memory back. */
  dispose() {
    const gl = this.gl, data = [this.cells, this.maps, this.means, this.pictures];
    for (const texture of [...data.map(({ texture }) => texture), this.small, this.blank, this.blankLayers])
      gl.deleteTexture(texture ?? null);
    gl.deleteFramebuffer(this.frame);
    gl.deleteBuffer(this.list);
    gl.deleteVertexArray(this.array);
  }

  /** The picture in which each cell has SMALL x SMALL pixels. */
  makeSmall() {
    const gl = this.gl, most = Math.floor(gl.getParameter(gl.MAX_TEXTURE_SIZE) / SMALL);
    this.perRow = Math.min(this.header.cells, most, 512);
    this.smallWidth = this.perRow * SMALL;
    this.smallHeight = Math.ceil(this.header.cells / this.perRow) * SMALL;
    this.small = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.small);
    gl.texStorage2D(gl.TEXTURE_2D, 4, gl.RGBA8, this.smallWidth, this.smallHeight);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    this.frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.small, 0);
  }

  /** Takes up what changed in a frame; what takes too long is left for the next call. */
  take() {
    const { decoder } = this, { cells } = this.header, end = performance.now() + PATIENCE;
    this.fading = decoder.old.some(tile => tile >= 0);
    this.isBehind = false;
    for (let i = 0, taken = 0; i < cells; ++i) {
      const cell = (this.next + i) % cells;
      if (!decoder.dirty[cell]) continue;
      if (++taken % 32 === 0 && performance.now() > end) {
        this.isBehind = true;
        this.next = cell; // so that no cell waits for ever
        return;
      }
      decoder.dirty[cell] = 0;
      this.takeSource(decoder, cell);
      this.takeTiles(decoder, cell);
      this.changed.add(cell);
    }
  }

  takeTiles(decoder, cell) {
    const source = this.header.needs === NEEDS.PICTURES ? decoder.numbers[31 * cell + PICTURE.SHARE] : 0;
    const { shown, old, share, region } = decoder;
    this.cells.values.set([shown[cell], old[cell], share[cell], region[cell] + 2 * source], this.cells.of(cell));
    if (this.transfers) this.mapColours(cell, [shown[cell], old[cell]]);
  }

  mapColours(cell, tiles) {
    let isWhole = true;
    tiles.forEach((tile, i) => {
      if (tile < 0) return;
      const spread = this.photos.spread(this.header, tile);
      isWhole &&= spread !== null;
      const map = spread ? transferMap(this.header, spread, this.spreads.get(cell)) : IDENTITY;
      this.maps.values.set(map, this.maps.of(cell) + 12 * i);
    });
    if (isWhole) this.waiting.delete(cell);
    else this.waiting.add(cell);
  }

  takeSource(decoder, cell) {
    const { numbers, count } = decoder, at = cell * count;
    if (this.header.needs === NEEDS.NOTHING) return;
    let means;
    if (this.header.needs === NEEDS.PICTURES) {
      const picture = pictureOf(numbers, at), to = this.pictures.of(cell);
      picture.forEach((pixel, i) => this.pictures.values.set(pixel, to + 4 * i));
      if (this.transfers) this.spreads.set(cell, spreadOf(numbers, at, picture));
      means = quartersOf(picture);
      means.push([0, 1, 2].map(c => means.reduce((sum, quarter) => sum + quarter[c] / 4, 0)));
    } else {
      means = meansOf(numbers, at);
    }
    const to = this.means.of(cell);
    means.forEach((mean, i) => mean.forEach((v, c) => { this.means.values[to + 4 * i + c] = v / 255; }));
  }

  /** Draws cells again that show photos which arrived. */
  takePhotos() {
    const { decoder } = this, { arrived } = this.photos;
    if (arrived.size === 0) return;
    const shows = tile => tile >= 0 && arrived.has(tile % this.header.photos);
    for (let cell = 0; cell < this.header.cells; ++cell) {
      if (!shows(decoder.shown[cell]) && !shows(decoder.old[cell])) continue;
      if (this.waiting.has(cell)) {
        decoder.dirty[cell] = 1;
        this.isBehind = true;
      }
      this.changed.add(cell);
    }
    arrived.clear();
  }

  /**
   * Draws a part of the mosaic on the whole canvas.
   * @param view {x, y, width, height}: the part, of a mosaic of 1 x 1
   * @param visible numbers of the cells in it
   * @param quick less sharp, for a view that will be another in the next picture
   * @return whether anything was to be drawn
   */
  draw(view, visible, quick) {
    const gl = this.gl, { width, height } = gl.canvas, { header } = this;
    const name = [view.x, view.y, view.width, view.height, width, height, quick].join();
    const all = name !== this.lastView;
    if (!all && this.changed.size === 0) return false;
    this.lastView = name;
    this.photos.upload();
    for (const data of [this.cells, this.maps, this.means, this.pictures]) data.upload();
    const changed = Int32Array.from(this.changed).sort();
    this.changed.clear();
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.list);
    if (header.fidelity > 0 && changed.length > 0) this.drawSmall(changed);
    const whole = { width: Math.round(width / view.width), height: Math.round(height / view.height) };
    const pixels = Math.max(header.cellWidth * whole.width, header.cellHeight * whole.height);
    this.use(this.photos.levelFor(pixels), false, quick);
    this.bindTextures(this.small);
    const left = Math.round(view.x * whole.width), top = Math.round(view.y * whole.height);
    this.setPart([left, top, whole.width, whole.height], [width, height], pixels);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    if (all) gl.clear(gl.COLOR_BUFFER_BIT);
    // The outer cells may reach beyond the picture, which cuts them.
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(-left, height + top - whole.height, whole.width, whole.height);
    this.drawCells(all ? Int32Array.from(visible) : changed);
    gl.disable(gl.SCISSOR_TEST);
    return true;
  }

  drawSmall(list) {
    const gl = this.gl;
    this.use(0, true, false);
    this.bindTextures(null);
    this.setPart([0, 0, 1, 1], [this.smallWidth, this.smallHeight], SMALL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.viewport(0, 0, this.smallWidth, this.smallHeight);
    this.drawCells(list);
    gl.bindTexture(gl.TEXTURE_2D, this.small);
    gl.generateMipmap(gl.TEXTURE_2D);
  }

  /** Draws two triangles a cell. Instances would be less to send, but drivers without a GPU draw them one by one. */
  drawCells(list) {
    const gl = this.gl, vertices = new Int32Array(list.length * 6);
    list.forEach((cell, i) => vertices.fill(cell, 6 * i, 6 * i + 6));
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STREAM_DRAW);
    gl.drawArrays(gl.TRIANGLES, 0, vertices.length);
  }

  /** Uses the program that draws nothing but what is asked for: without a GPU, what is left out counts. */
  use(level, isSmall, isQuick) {
    const { gl, header } = this;
    const constants = { LEVEL: level, SMALL_PICTURE: isSmall, QUICK: isQuick, TRANSFERS: this.transfers,
      MIXES: header.needs === NEEDS.PICTURES, CORRECTS: header.fidelity > 0 && !isSmall,
      HUES: header.hues > 0, FADES: this.fading };
    for (const name of Object.keys(constants)) constants[name] = Number(constants[name]);
    const key = Object.values(constants).join();
    if (!this.programs.has(key))
      this.programs.set(key, { program: makeProgram(gl, VERTEX, FRAGMENT, constants), places: new Map() });
    this.current = this.programs.get(key);
    gl.useProgram(this.current.program);
  }

  /** Where a uniform is. */
  at(name) {
    const { program, places } = this.current;
    if (!places.has(name)) places.set(name, this.gl.getUniformLocation(program, name));
    return places.get(name);
  }

  setPart(view, canvas, cellPixels) {
    const gl = this.gl, { header } = this;
    // At least two pixels of a photo for one of the picture, where it has so many.
    const lod = ({ side }) => Math.max(0, Math.floor(Math.log2(side / cellPixels / 2)));
    gl.uniform4f(this.at("origin"), header.left, header.top, header.cellWidth, header.cellHeight);
    gl.uniform4f(this.at("view"), ...view);
    gl.uniform2f(this.at("canvas"), ...canvas);
    const sides = [header.cellWidth * header.shape / header.cellShape, header.cellHeight]; // as photos are squeezed
    gl.uniform2f(this.at("shape"), ...sides.map(side => side / Math.max(...sides)));
    gl.uniform1f(this.at("photoShape"), header.cellShape);
    gl.uniform1i(this.at("columns"), header.columns);
    gl.uniform1i(this.at("perRow"), this.perRow);
    gl.uniform1f(this.at("fidelity"), header.fidelity);
    gl.uniform3i(this.at("tiles"), header.photos, header.augmentations, header.hues);
    gl.uniform4f(this.at("lods"), ...LEVELS.map(lod));
    gl.uniform1f(this.at("pixels"), cellPixels);
  }

  /** @param found the small picture, unless it is being drawn */
  bindTextures(found) {
    const gl = this.gl;
    this.blank ??= makeBlank(gl, gl.TEXTURE_2D);
    this.blankLayers ??= makeBlank(gl, gl.TEXTURE_2D_ARRAY);
    const planes = { cells: this.cells.texture, means: this.means.texture, maps: this.maps.texture,
      pictures: this.pictures.texture, slots: this.photos.slotTexture };
    let unit = 0;
    for (const [i, level] of this.photos.levels.entries())
      this.bind(`level${i}`, unit++, gl.TEXTURE_2D_ARRAY, level.texture ?? this.blankLayers);
    for (const [name, texture] of Object.entries(planes)) this.bind(name, unit++, gl.TEXTURE_2D, texture);
    this.bind("found", unit, gl.TEXTURE_2D, found ?? this.blank);
  }

  bind(name, unit, target, texture) {
    const gl = this.gl;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(target, texture);
    gl.uniform1i(this.at(name), unit);
  }
}
