// SPDX-License-Identifier: LGPL-2.1-or-later
// The page: loads the film and the photos, and plays.

const SLOW = 60; // milliseconds for a picture, and then
const COARSE = 0.5; // of the pixels along each side are drawn

class Page {
  constructor() {
    this.canvas = document.querySelector("canvas");
    this.film = new Film();
    this.time = 0;
    this.isPlaying = true;
    this.drawnFrames = 0;
    this.pointer = null;
    this.controls = Object.fromEntries(["play", "seek", "time", "name", "message", "whole"].map(
      id => [id, document.getElementById(id)]));
  }

  say(text) {
    this.controls.message.textContent = text;
    this.controls.message.hidden = !text;
  }

  async start() {
    this.say("Loading …");
    const gl = this.canvas.getContext("webgl2", { alpha: false, antialias: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("This browser has no WebGL 2, with which the mosaic is drawn.");
    this.gl = gl;
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.canvas.addEventListener("webglcontextlost", () => this.loseContext());
    const about = await (await fetched("photos.json")).json();
    await this.load(about);
    this.listen();
    requestAnimationFrame(now => this.tick(now));
  }

  /** The memory for drawing is gone, for example because others needed it: begins again, but not for ever. */
  loseContext() {
    const last = Number(sessionStorage.getItem("lost") ?? 0), now = Date.now();
    sessionStorage.setItem("lost", now);
    if (now - last > 60000) return location.reload();
    this.isLost = true;
    this.say("The browser has no memory left to draw the mosaic.");
  }

  /** Loads the film as it comes; returns when it begins. */
  async load(about) {
    const reader = (await fetched("film.mosaic")).body.getReader();
    const read = async () => {
      try {
        const { done, value } = await reader.read();
        if (!done) this.film.add(value);
        this.film.isWhole = done;
      } catch (error) {
        this.film.isWhole = true;
        const until = this.film.frames.length > 0 ? " to its end" : "";
        throw new Error(`The film could not be read${until}: ${error.message}.`);
      }
      return !this.film.isWhole;
    };
    let failure = "";
    while (this.film.frames.length === 0 && !this.film.isWhole)
      await read().catch(error => { failure = error.message; });
    if (this.film.frames.length === 0) throw new Error(failure || "The film has no frame.");
    const { header } = this.film;
    if (header.pack !== about.hash || header.photos !== about.names.length)
      throw new Error(`The film was made with the pack ${header.pack}, and this one is ${about.hash}.`);
    this.photos = new Photos(this.gl, about);
    this.programs = new Map();
    this.view = new View(this.canvas, header);
    const rest = async () => {
      while (!this.film.isWhole) await read();
    };
    this.say(failure);
    rest().catch(error => this.say(error.message));
  }

  listen() {
    const { controls, view, film } = this;
    controls.play.addEventListener("click", () => this.play(!this.isPlaying));
    controls.whole.addEventListener("click", () => view.flyTo(-1, performance.now()));
    controls.seek.addEventListener("input", () => {
      this.time = Math.min(controls.seek.value / 1000 * film.duration, film.duration - 1e-3);
    });
    controls.seek.addEventListener("change", () => controls.seek.blur());
    view.onPoint = event => { this.pointer = [event.clientX, event.clientY]; };
    this.canvas.addEventListener("pointerleave", () => { this.pointer = null; });
    document.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, input")) return;
      if (event.key === " ") this.play(!this.isPlaying);
      else if (!view.key(event.key, performance.now())) return;
      event.preventDefault();
    });
  }

  play(on) {
    this.isPlaying = on;
    this.controls.play.textContent = on ? "❚❚" : "▶";
    this.controls.play.setAttribute("aria-label", on ? "Pause" : "Play");
  }

  /** Makes the canvas as large as it is shown, or a part of that. */
  resize(part) {
    const ratio = (window.devicePixelRatio || 1) * part;
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }

  tick(now) {
    if (this.isLost) return;
    try {
      this.show(now);
    } catch (error) {
      this.say(error.message);
      throw error; // and nothing more is drawn
    }
    requestAnimationFrame(next => this.tick(next));
  }

  show(now) {
    const { film, view } = this;
    const pause = now - (this.last ?? now);
    this.last = now;
    if (this.isPlaying) this.time += Math.min(pause / 1000, 0.25);
    if (this.time >= film.duration) this.time = film.isWhole ? this.time % film.duration : film.duration - 1e-3;
    view.advance(now);
    const isMoving = this.isMoving();
    // A view that moves is drawn with fewer pixels where drawing is slow, as without a GPU.
    this.isCoarse = isMoving && (this.isCoarse || pause > SLOW);
    this.resize(this.isCoarse ? COARSE : 1);
    const frame = film.frameAt(this.time);
    film.advance(frame);
    if (!film.decoder) return;
    if (this.painter?.decoder !== film.decoder) this.newPainter();
    const { visible } = view;
    this.painter.take();
    this.askForPhotos(visible);
    this.painter.takePhotos();
    if (this.painter.draw(view.part, visible, isMoving)) ++this.drawnFrames;
    this.showControls();
  }

  /** Whether the view is another one than at the last call. */
  isMoving() {
    const { centre, scale, isWhole } = this.view, place = isWhole ? "whole" : [centre.x, centre.y, scale].join();
    const moves = this.place !== undefined && place !== this.place;
    this.place = place;
    return moves;
  }

  /** Another look or grid begins. */
  newPainter() {
    this.painter?.dispose();
    this.painter = new Painter(this.gl, this.film.decoder, this.photos, this.programs);
    this.view.header = this.film.decoder.header;
  }

  /** @param visible numbers of cells */
  askForPhotos(visible) {
    const { decoder } = this.film, { photos: count } = decoder.header, wanted = new Set();
    for (const cell of visible) {
      wanted.add(decoder.shown[cell] % count);
      if (decoder.old[cell] >= 0) wanted.add(decoder.old[cell] % count);
    }
    const { part } = this.view, { cellWidth, cellHeight } = decoder.header;
    const side = Math.max(cellWidth * this.canvas.width / part.width, cellHeight * this.canvas.height / part.height);
    this.photos.want(wanted, side);
  }

  showControls() {
    const { controls, film } = this, seconds = t => `${Math.floor(t / 60)}:${String(Math.floor(t % 60)).padStart(2, "0")}`;
    if (document.activeElement !== controls.seek) controls.seek.value = 1000 * this.time / film.duration;
    setText(controls.time, `${seconds(this.time)} / ${seconds(film.duration)}`);
    const cell = this.pointer ? this.view.cellAt(this.view.pointAt(...this.pointer)) : -1;
    const name = cell < 0 ? "" : this.photos.names[film.decoder.shown[cell] % film.decoder.header.photos];
    setText(controls.name, name);
    controls.name.hidden = !name;
  }

  /** Whether everything that is to be seen now is there, at the size at which it is shown. */
  get isComplete() {
    const { film, photos } = this;
    return this.painter !== undefined && film.at === film.frameAt(this.time) && photos.isComplete &&
      photos.arrived.size === 0 && !this.painter.isBehind && !this.view.flight && !this.isCoarse;
  }
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

async function fetched(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return answer;
}

window.page = new Page();
window.page.start().catch(error => {
  window.page.say(error.message);
  console.error(error);
});
