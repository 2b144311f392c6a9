// SPDX-License-Identifier: LGPL-2.1-or-later
// How a cell is drawn: its tiles, their colours, the source over them, and the correction towards the colours
// of the source. docs/picture.md says what the finishing of a look adds, which is left out here.

const SMALL = 8; // pixels along the side of a cell in the small picture, whose means are compared

const COMMON = `
precision highp float;
precision highp int;
precision highp sampler2DArray;
precision highp isampler2D;
uniform highp isampler2D cells;   // shown tile, old tile or -1, share of the shown one, region + 2 x source
uniform highp sampler2D means;    // of the source: four quarters and the cell, 0..1
const int kWidth = ${DATA_WIDTH};
vec4 fetchAt(highp sampler2D data, int index) {
  return texelFetch(data, ivec2(index % kWidth, index / kWidth), 0);
}
ivec4 fetchAt(highp isampler2D data, int index) {
  return texelFetch(data, ivec2(index % kWidth, index / kWidth), 0);
}
`;

const VERTEX = COMMON + `
layout(location = 0) in int cell;
uniform int columns, perRow;  // cells in a row of the mosaic, and of the small picture
uniform vec4 origin;  // of the first cell, and the size of a cell, in a mosaic of 1 x 1
uniform vec4 view;    // begin of the part that is shown, pixels, and the size of the whole mosaic
uniform vec2 canvas;  // pixels
uniform float photoShape;  // width / height
uniform vec2 shape;   // of a cell, squeezed as photos are: its longer side is 1, the side of a photo
uniform float fidelity;
uniform sampler2D found;  // the small picture
flat out int id;
flat out vec4 scale[3], offset[3];  // by channel: of the four quarters
out vec2 at, inPhoto;               // 0..1

vec2 towards(float is, float wanted, float share, float loss) {
  float k = wanted < is ? wanted / is : wanted > is ? (1.0 - wanted) / (1.0 - is) : 1.0;
  k = 1.0 - (1.0 - k) * loss;
  return vec2(1.0 + (k - 1.0) * share, (wanted - k * is) * share);
}

// The correction of kernels/drawing/cell_correction.h.
void correct(bool inRegion, int place, int row) {
  for (int c = 0; c < 3; ++c) scale[c] = vec4(1), offset[c] = vec4(0);
#if CORRECTS
  float f = inRegion ? (1.0 + fidelity) / 2.0 : fidelity, loss = 0.25 + 0.75 * f;
  vec3 is = texelFetch(found, ivec2(place, row), 3).rgb, wanted = fetchAt(means, 5 * cell + 4).rgb;
  vec3 off = abs(wanted - is);
  float error = (off.r + 2.0 * off.g + off.b) / 4.0, tolerance = 12.0 / 255.0 * (1.0 - f) / f;
  float share = error > 0.0 ? error / (error + tolerance) : 0.0;
  for (int q = 0; q < 4; ++q) {
    vec3 quarter = texelFetch(found, ivec2(2 * place + q % 2, 2 * row + q / 2), 2).rgb;
    vec3 aim = fetchAt(means, 5 * cell + q).rgb;
    for (int c = 0; c < 3; ++c) {
      vec2 first = towards(is[c], wanted[c], share, loss);
      float mapped = clamp(first.x * quarter[c] + first.y, 0.0, 1.0);
      vec2 then = towards(mapped, aim[c], min(2.0 * f, 1.0), loss);
      scale[c][q] = first.x * then.x;
      offset[c][q] = first.y * then.x + then.y;
    }
  }
#endif
}

vec2 beginOf(vec2 cell) { return floor((origin.xy + cell * origin.zw) * view.zw + 0.001); }

void main() {
  id = cell;
  int corner6 = gl_VertexID % 6;  // of two triangles: 0 1 2, 1 3 2
  at = inPhoto = vec2(corner6 == 1 || corner6 >= 3 && corner6 < 5 ? 1 : 0, corner6 == 2 || corner6 >= 4 ? 1 : 0);
  int place = cell % perRow, row = cell / perRow;
  vec2 corner;
#if SMALL_PICTURE
    inPhoto = 0.5 + (at - 0.5) * shape;
    corner = (vec2(place, row) + at) * ${SMALL}.0;
#else
    // Cells begin at whole pixels, and one that is smaller than the largest shows the middle of its photo, as
    // mosaicrender draws them.
    vec2 number = vec2(cell % columns, cell / columns);
    vec2 first = beginOf(number), size = beginOf(number + 1.0) - first, largest = ceil(origin.zw * view.zw - 0.001);
    vec2 whole = max(largest, floor(vec2(largest.y * photoShape, largest.x / photoShape) + 0.5));
    inPhoto = (at * size + floor((whole - size) / 2.0)) / whole;
    corner = first + at * size - view.xy;
#endif
  correct((fetchAt(cells, cell).w & 1) != 0, place, row);
  vec2 position = corner / canvas * 2.0 - 1.0;
  gl_Position = vec4(position.x, SMALL_PICTURE == 1 ? position.y : -position.y, 0, 1);
}
`;

const FRAGMENT = COMMON + `
uniform sampler2DArray level0, level1, level2, level3;
uniform highp isampler2D slots;  // of a photo at each level; -1: it is not there
uniform sampler2D maps;          // of the colours of the shown and of the old tile, 3 rows each
uniform sampler2D pictures;      // of the source, 4 x 4 a cell
uniform ivec3 tiles;             // photos, augmentations, hues
uniform vec4 lods;               // by level: how often its sides are halved
uniform float pixels;            // along the side of a cell
flat in int id;
flat in vec4 scale[3], offset[3];
in vec2 at, inPhoto;
out vec4 colour;

vec3 sampleSlot(sampler2DArray level, int slot, float side, float lod, vec2 uv) {
  int columns = int(${LAYER}.0 / side), place = slot % (columns * columns);
  float edge = 0.5 * exp2(lod);  // pixels of a slot's edge that would mix with its neighbours
  vec2 pixel = clamp(uv * side, edge, side - edge) + vec2(place % columns, place / columns) * side;
  return textureLod(level, vec3(pixel / ${LAYER}.0, slot / (columns * columns)), lod).rgb;
}

// Four samples are nearer to the mean over a pixel than one.
vec3 average(sampler2DArray level, int slot, float side, float lod, vec2 uv) {
#if QUICK
  return sampleSlot(level, slot, side, lod, uv);
#endif
  if (side <= pixels) return sampleSlot(level, slot, side, 0.0, uv);
  vec2 step = vec2(0.25 / pixels);
  return (sampleSlot(level, slot, side, lod, uv - step) +
          sampleSlot(level, slot, side, lod, uv + vec2(step.x, -step.y)) +
          sampleSlot(level, slot, side, lod, uv + vec2(-step.x, step.y)) +
          sampleSlot(level, slot, side, lod, uv + step)) / 4.0;
}

// What a photo shows, from the best of its sizes that is there.
vec3 photo(int number, vec2 uv) {
  ivec4 slot = texelFetch(slots, ivec2(number % ${LAYER}, number / ${LAYER}), 0);
#if LEVEL >= 3
  if (slot.w >= 0) return average(level3, slot.w, ${LEVELS[3].side}.0, lods.w, uv);
#endif
#if LEVEL >= 2
  if (slot.z >= 0) return average(level2, slot.z, ${LEVELS[2].side}.0, lods.z, uv);
#endif
#if LEVEL >= 1
  if (slot.y >= 0) return average(level1, slot.y, ${LEVELS[1].side}.0, lods.y, uv);
#endif
  return slot.x >= 0 ? average(level0, slot.x, ${LEVELS[0].side}.0, lods.x, uv) : vec3(0.5);
}

float curve(float v) { return v > 0.008856 ? pow(v, 1.0 / 3.0) : 7.787 * v + 16.0 / 116.0; }
float uncurve(float f) { return f > 0.206893 ? f * f * f : (f - 16.0 / 116.0) / 7.787; }
float light(float v) { return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4); }
float level(float v) {
  v = clamp(v, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1.0 / 2.4) - 0.055;
}
vec3 light(vec3 c) { return vec3(light(c.r), light(c.g), light(c.b)); }
vec3 level(vec3 c) { return vec3(level(c.r), level(c.g), level(c.b)); }

// Each of L, a, b from 0 to 255.
vec3 toLab(vec3 c) {
  c = light(c);
  float x = curve(dot(c, vec3(0.412453, 0.35758, 0.180423)) / 0.950456);
  float y = curve(dot(c, vec3(0.212671, 0.71516, 0.072169)));
  float z = curve(dot(c, vec3(0.019334, 0.119193, 0.950227)) / 1.088754);
  return vec3((116.0 * y - 16.0) * 2.55, 500.0 * (x - y) + 128.0, 200.0 * (y - z) + 128.0);
}
vec3 fromLab(vec3 lab) {
  float fy = (lab.x / 2.55 + 16.0) / 116.0;
  float x = uncurve(fy + (lab.y - 128.0) / 500.0) * 0.950456, y = uncurve(fy);
  float z = uncurve(fy - (lab.z - 128.0) / 200.0) * 1.088754;
  return level(vec3(dot(vec3(x, y, z), vec3(3.240479, -1.53715, -0.498535)),
                    dot(vec3(x, y, z), vec3(-0.969256, 1.875991, 0.041556)),
                    dot(vec3(x, y, z), vec3(0.055648, -0.204043, 1.057311))));
}

// The hue turned in Oklab, as kernels/drawing/hue.h.
vec3 turn(vec3 c, float angle) {
  c = light(c);
  vec3 cone = pow(vec3(dot(c, vec3(0.4122214708, 0.5363325363, 0.0514459929)),
                       dot(c, vec3(0.2119034982, 0.6806995451, 0.1073969566)),
                       dot(c, vec3(0.0883024619, 0.2817188376, 0.6299787005))), vec3(1.0 / 3.0));
  float l = dot(cone, vec3(0.2104542553, 0.793617785, -0.0040720468));
  vec2 ab = vec2(dot(cone, vec3(1.9779984951, -2.428592205, 0.4505937099)),
                 dot(cone, vec3(0.0259040371, 0.7827717662, -0.808675766)));
  float fade = (1.0 - clamp((l - 0.85) / 0.15, 0.0, 1.0) * 0.5) *
               (1.0 - clamp((0.25 - l) / 0.25, 0.0, 1.0) * 0.3);
  float chroma = length(ab), ratio = chroma * fade > 0.4 ? 0.4 / chroma : fade;
  float s = sin(angle), k = cos(angle);
  ab = vec2(ab.x * k - ab.y * s, ab.x * s + ab.y * k) * ratio;
  vec3 back = vec3(l + 0.3963377774 * ab.x + 0.2158037573 * ab.y,
                   l - 0.1055613458 * ab.x - 0.0638541728 * ab.y,
                   l - 0.0894841775 * ab.x - 1.291485548 * ab.y);
  back = back * back * back;
  return level(vec3(dot(back, vec3(4.0767416621, -3.3077115913, 0.2309699292)),
                    dot(back, vec3(-1.2684380046, 2.6097574011, -0.3413193965)),
                    dot(back, vec3(-0.0041960863, -0.7034186147, 1.707614701))));
}

vec3 draw(int tile, int map, vec2 uv) {
  int variant = tile / tiles.x, kind = variant % tiles.y, hue = variant / tiles.y;
  vec3 c = photo(tile % tiles.x, kind == 1 ? vec2(1.0 - uv.x, uv.y) : uv);
  if (kind == 2) c = min(c * 1.1, 1.0);
  if (kind == 3) c *= 0.9;
#if HUES
  if (hue > 0) c = turn(c, 6.283185307 * float(hue) / float(tiles.z + 1));
#endif
#if TRANSFERS
  vec4 lab = vec4(toLab(c), 1);
  map += 6 * id;
  return fromLab(clamp(vec3(dot(fetchAt(maps, map), lab), dot(fetchAt(maps, map + 1), lab),
                            dot(fetchAt(maps, map + 2), lab)), 0.0, 255.0));
#else
  return c;
#endif
}

vec3 source(vec2 uv) {
  vec2 p = clamp(uv * 4.0 - 0.5, 0.0, 3.0);
  ivec2 a = ivec2(p), b = min(a + 1, 3);
  vec2 t = fract(p);
  int first = 16 * id;
  vec3 above = mix(fetchAt(pictures, first + 4 * a.y + a.x).rgb, fetchAt(pictures, first + 4 * a.y + b.x).rgb, t.x);
  vec3 below = mix(fetchAt(pictures, first + 4 * b.y + a.x).rgb, fetchAt(pictures, first + 4 * b.y + b.x).rgb, t.x);
  return mix(above, below, t.y);
}

void main() {
  ivec4 cell = fetchAt(cells, id);
  vec3 c = draw(cell.x, 0, inPhoto);
#if FADES
  if (cell.y >= 0) c = mix(draw(cell.y, 3, inPhoto), c, float(cell.z) / 65536.0);
#endif
#if MIXES
  c = mix(c, source(at), float(cell.w >> 1) / 255.0);
#endif
#if CORRECTS
  vec2 t = clamp(at * 2.0 - 0.5, 0.0, 1.0);
  for (int i = 0; i < 3; ++i) {
    vec4 share = vec4((1.0 - t.x) * (1.0 - t.y), t.x * (1.0 - t.y), (1.0 - t.x) * t.y, t.x * t.y);
    c[i] = clamp(dot(scale[i], share) * c[i] + dot(offset[i], share), 0.0, 1.0);
  }
#endif
  colour = vec4(c, 1);
}
`;
