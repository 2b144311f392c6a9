// SPDX-License-Identifier: LGPL-2.1-or-later
// What a stream tells of a cell's source: its numbers as colours (docs/mosaic-format.md, "The numbers of
// means" and "The numbers of pictures").

const PICTURE = { LUMA_STEP: 40, CHROMA_STEP: 12, BLUE: 16, RED: 20, DEVIATION: 24, CORRELATION: 27, SHARE: 30 };

/** To the nearest whole number, halves away from 0. */
function rounded(v) {
  return Math.sign(v) * Math.round(Math.abs(v));
}

function restore(numbers, at, side, step) {
  const square = new Float64Array(side * side);
  for (let i = 0; i < square.length; ++i) square[i] = numbers[at + i] * step;
  const line = (first, stride) => {
    for (let half = 1; half < side; half *= 2)
      for (let i = 0; i < side; ++i) {
        if (i & half) continue;
        const p = first + i * stride, q = first + (i + half) * stride;
        [square[p], square[q]] = [square[p] + square[q], square[p] - square[q]];
      }
  };
  for (let i = 0; i < side; ++i) line(i * side, 1);
  for (let i = 0; i < side; ++i) line(i, side);
  return square.map(v => rounded(v / square.length));
}

/** The picture of a cell's source, 4x4 pixels of red, green and blue, each 0 to 255. */
function pictureOf(numbers, at) {
  const luma = restore(numbers, at, 4, PICTURE.LUMA_STEP);
  const blue = restore(numbers, at + PICTURE.BLUE, 2, PICTURE.CHROMA_STEP);
  const red = restore(numbers, at + PICTURE.RED, 2, PICTURE.CHROMA_STEP);
  const picture = [];
  for (let i = 0; i < 16; ++i) {
    const chroma = (i >> 3) * 2 + (i % 4 >> 1), y = luma[i] + 128, u = blue[chroma], v = red[chroma];
    const level = x => Math.min(255, Math.max(0, x));
    picture.push([level(y + rounded(359 * v / 256)), level(y - rounded((88 * u + 183 * v) / 256)),
      level(y + rounded(454 * u / 256))]);
  }
  return picture;
}

/** The colours of a cell's source. */
function spreadOf(numbers, at, picture) {
  const mean = [0, 0, 0];
  for (const pixel of picture) labOf(...pixel).forEach((v, i) => { mean[i] += v / 16; });
  const deviation = [0, 1, 2].map(i => numbers[at + PICTURE.DEVIATION + i] ** 2 / 16);
  const covariance = [0, 1, 2].map(i => [0, 1, 2].map(j => {
    const correlation = i === j ? 1 : numbers[at + PICTURE.CORRELATION + i + j - 1] / 8;
    return deviation[i] * deviation[j] * correlation;
  }));
  return new Spread(mean, covariance);
}

// The share of each of four pixels in a row in the mean of its first half, enlarged bilinearly.
const HALF_ROW = [0.5, 0.4375, 0.0625, 0];

/** Means of the quarters of an enlarged picture: upper left, upper right, lower left, lower right. */
function quartersOf(picture) {
  return [0, 1, 2, 3].map(quarter => [0, 1, 2].map(channel => {
    let sum = 0;
    for (let i = 0; i < 16; ++i) {
      const x = quarter & 1 ? 3 - i % 4 : i % 4, y = quarter & 2 ? 3 - (i >> 2) : i >> 2;
      sum += picture[i][channel] * HALF_ROW[x] * HALF_ROW[y];
    }
    return sum;
  }));
}

/** Means of a cell's quarters and of the cell, 0 to 255, of numbers of means. */
function meansOf(numbers, at) {
  const quarters = [0, 1, 2, 3].map(q => [0, 1, 2].map(c => numbers[at + 3 * q + c] / 256));
  const whole = [0, 1, 2].map(c => numbers[at + 12 + c] / 256 +
    (quarters[0][c] + quarters[1][c] + quarters[2][c] + quarters[3][c]) / 4);
  return [...quarters, whole];
}
