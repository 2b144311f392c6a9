// SPDX-License-Identifier: LGPL-2.1-or-later
// Textures and programs of WebGL2.

const DATA_WIDTH = 2048; // texels in a row of a texture with some for each cell

function setTexture(gl, texture, format, width, height, layout, type, data) {
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, layout, type, data);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
    gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
}

/** A texture of one black pixel, for where another does not exist yet. */
function makeBlank(gl, target) {
  const texture = gl.createTexture();
  gl.bindTexture(target, texture);
  if (target === gl.TEXTURE_2D) gl.texStorage2D(target, 1, gl.RGBA8, 1, 1);
  else gl.texStorage3D(target, 1, gl.RGBA8, 1, 1, 1);
  return texture;
}

/** @param constants names and whole numbers that the shaders use */
function makeProgram(gl, vertex, fragment, constants) {
  const head = Object.entries(constants).map(([name, value]) => `#define ${name} ${value}\n`);
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, `#version 300 es\n${head.join("")}${source}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    const logs = gl.getAttachedShaders(program).map(shader => gl.getShaderInfoLog(shader));
    throw new Error(`this browser cannot draw the mosaic: ${gl.getProgramInfoLog(program)} ${logs.join(" ")}`);
  }
  return program;
}
