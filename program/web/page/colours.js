// SPDX-License-Identifier: LGPL-2.1-or-later
// Colours of tiles and cells, and the map from the ones to the others.

const TRANSFER = { NONE: 0, REINHARD: 1, MKL: 2, HISTOGRAM: 3, HYBRID: 4, MKL_HYBRID: 5 };

const LINEAR = Float64Array.from({ length: 256 }, (_, i) => {
  const v = i / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
});

function labCurve(t) {
  return t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
}

/** CIELAB of an sRGB colour, all three from 0 to 255. */
function labOf(r, g, b) {
  r = LINEAR[r], g = LINEAR[g], b = LINEAR[b];
  const x = labCurve((0.412453 * r + 0.35758 * g + 0.180423 * b) / 0.950456);
  const y = labCurve(0.212671 * r + 0.71516 * g + 0.072169 * b);
  const z = labCurve((0.019334 * r + 0.119193 * g + 0.950227 * b) / 1.088754);
  return [(116 * y - 16) * 2.55, 500 * (x - y) + 128, 200 * (y - z) + 128];
}

/** Colours of some pixels: the mean of L, a, b, and their covariance. */
class Spread {
  constructor(mean, covariance) {
    this.mean = mean;
    this.covariance = covariance;
  }

  /** @param labs arrays of L, a, b */
  static of(labs) {
    const mean = [0, 0, 0], covariance = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
    for (const lab of labs) for (let i = 0; i < 3; ++i) mean[i] += lab[i] / labs.length;
    for (const lab of labs)
      for (let i = 0; i < 3; ++i)
        for (let j = 0; j < 3; ++j)
          covariance[i][j] += (lab[i] - mean[i]) * (lab[j] - mean[j]) / labs.length;
    return new Spread(mean, covariance);
  }
}

/** The map of L, a, b that changes nothing: three rows of a matrix and an offset. */
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** The map from a tile's colours to a cell's, as kernels/drawing/transfer.h. */
function transferMap(header, tile, cell) {
  const kind = header.field(FIELD.COLOR_TRANSFER);
  const l = header.field(FIELD.REINHARD_L), ab = header.field(FIELD.REINHARD_AB);
  if (kind === TRANSFER.REINHARD || kind === TRANSFER.HYBRID) return reinhard(tile, cell, l, ab);
  if (kind === TRANSFER.MKL || kind === TRANSFER.MKL_HYBRID) return mongeKantorovich(tile, cell, l);
  return IDENTITY;
}

/** Reinhard et al. 2001, weaker where the means are far apart. */
function reinhard(tile, cell, l, ab) {
  const map = IDENTITY.slice();
  for (let i = 0; i < 3; ++i) {
    const from = tile.mean[i], to = cell.mean[i];
    const spread = Math.sqrt(tile.covariance[i][i]);
    const wanted = spread > 0 ? Math.sqrt(cell.covariance[i][i]) / spread : 2;
    const ratio = Math.min(2, Math.max(0.5, wanted));
    const strength = (i === 0 ? l : ab) * Math.max(0.3, 1 - Math.abs(from - to) / 128 * 0.3);
    map[4 * i + i] = 1 - strength + strength * ratio;
    map[4 * i + 3] = (to - from * ratio) * strength;
  }
  return map;
}

/** The Monge-Kantorovich map of Pitie and Kokaram (2007), mixed with the identity. */
function mongeKantorovich(tile, cell, strength) {
  const [root, inverse] = squareRoot(tile.covariance);
  const [middle] = squareRoot(multiply(multiply(root, cell.covariance), root));
  const matrix = multiply(multiply(inverse, middle), inverse), map = IDENTITY.slice();
  for (let i = 0; i < 3; ++i) {
    let moved = cell.mean[i];
    for (let j = 0; j < 3; ++j) {
      moved -= matrix[i][j] * tile.mean[j];
      map[4 * i + j] = matrix[i][j] * strength + (i === j ? 1 - strength : 0);
    }
    map[4 * i + 3] = moved * strength;
  }
  return map;
}

function multiply(a, b) {
  return a.map(row => [0, 1, 2].map(j => row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]));
}

/** The square root of a symmetric matrix, and its inverse, by Jacobi rotations. */
function squareRoot(matrix) {
  const a = matrix.map((row, i) => row.map((v, j) => (i === j ? v + 1e-6 : v)));
  const vectors = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 6; ++sweep)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) rotate(a, vectors, p, q);
  const roots = [0, 1, 2].map(i => Math.sqrt(Math.max(a[i][i], 1e-10)));
  const compose = f => [0, 1, 2].map(i => [0, 1, 2].map(j =>
    [0, 1, 2].reduce((sum, k) => sum + vectors[i][k] * f(roots[k]) * vectors[j][k], 0)));
  return [compose(v => v), compose(v => 1 / v)];
}

function rotate(a, vectors, p, q) {
  if (a[p][q] === 0) return;
  const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1), s = t * c;
  for (let k = 0; k < 3; ++k) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
  for (let k = 0; k < 3; ++k) {
    [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
    [vectors[k][p], vectors[k][q]] =
      [c * vectors[k][p] - s * vectors[k][q], s * vectors[k][p] + c * vectors[k][q]];
  }
}

/** A photo's colour in one of its variants (kernels/math/brightness.h, kernels/drawing/hue.h). */
function inVariant(header, variant, r, g, b) {
  const augmentation = variant % header.augmentations, hue = Math.floor(variant / header.augmentations);
  const gain = [1, 1, 1.1, 0.9][augmentation];
  const rgb = [r, g, b].map(v => Math.min(255, Math.trunc(v * gain)));
  return hue > 0 ? turned(...rgb, hueAngle(header, hue)) : rgb;
}

function hueAngle(header, hue) {
  return 2 * Math.PI * hue / (header.hues + 1);
}

/** A colour with its hue turned in Oklab (Ottosson 2020). */
function turned(red, green, blue, angle) {
  const r = LINEAR[red], g = LINEAR[green], b = LINEAR[blue];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const within = v => Math.min(1, Math.max(0, v));
  const fade = (1 - within((lightness - 0.85) / 0.15) * 0.5) * (1 - within((0.25 - lightness) / 0.25) * 0.3);
  const chroma = Math.hypot(x, y), ratio = chroma * fade > 0.4 ? 0.4 / chroma : fade;
  const c = Math.cos(angle), d = Math.sin(angle);
  const a = (x * c - y * d) * ratio, bb = (x * d + y * c) * ratio;
  const ll = (lightness + 0.3963377774 * a + 0.2158037573 * bb) ** 3;
  const mm = (lightness - 0.1055613458 * a - 0.0638541728 * bb) ** 3;
  const ss = (lightness - 0.0894841775 * a - 1.291485548 * bb) ** 3;
  return [4.0767416621 * ll - 3.3077115913 * mm + 0.2309699292 * ss,
    -1.2684380046 * ll + 2.6097574011 * mm - 0.3413193965 * ss,
    -0.0041960863 * ll - 0.7034186147 * mm + 1.7076147010 * ss].map(v => {
    const light = within(v);
    return Math.trunc(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
  });
}
