// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Functions of symmetric 3 x 3 matrices, by operations that round alike on every machine.
#pragma once

#include <math.h>

#include "kernels/group.h"

namespace mt {

struct Matrix3 {
  float at[3][3];
};

static MT_HD inline Matrix3 multiply(const Matrix3& a, const Matrix3& b) {
  Matrix3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.at[i][j] = a.at[i][0] * b.at[0][j] + a.at[i][1] * b.at[1][j] + a.at[i][2] * b.at[2][j];
  return c;
}

/// One Jacobi rotation (Jacobi 1846): makes a[p][q] 0, and applies the rotation to `vectors`, whose
/// columns become the eigenvectors.
static MT_HD inline void rotate(Matrix3& a, Matrix3& vectors, int p, int q) {
  if (a.at[p][q] == 0.0f) return;
  const float theta = (a.at[q][q] - a.at[p][p]) / (2.0f * a.at[p][q]);
  const float size = (theta < 0.0f ? -theta : theta) + sqrtf(theta * theta + 1.0f);
  const float t = theta < 0.0f ? -1.0f / size : 1.0f / size;
  const float c = 1.0f / sqrtf(t * t + 1.0f), s = t * c;
  for (int k = 0; k < 3; ++k) {
    const float kp = a.at[k][p], kq = a.at[k][q];
    a.at[k][p] = c * kp - s * kq;
    a.at[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < 3; ++k) {
    const float pk = a.at[p][k], qk = a.at[q][k];
    a.at[p][k] = c * pk - s * qk;
    a.at[q][k] = s * pk + c * qk;
    const float vp = vectors.at[k][p], vq = vectors.at[k][q];
    vectors.at[k][p] = c * vp - s * vq;
    vectors.at[k][q] = s * vp + c * vq;
  }
}

/// The square root of a positive semidefinite matrix, and the inverse of the root. Eigenvalues
/// below `least` are replaced by it.
static MT_HD inline void square_root(Matrix3 a, float least, Matrix3& root, Matrix3& inverse) {
  Matrix3 v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  constexpr int kSweeps = 6;  // converges quadratically; four reach single precision
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    rotate(a, v, 0, 1);
    rotate(a, v, 0, 2);
    rotate(a, v, 1, 2);
  }
  float d[3];
  for (int i = 0; i < 3; ++i) d[i] = sqrtf(a.at[i][i] > least ? a.at[i][i] : least);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      root.at[i][j] = inverse.at[i][j] = 0;
      for (int k = 0; k < 3; ++k) {
        root.at[i][j] += v.at[i][k] * d[k] * v.at[j][k];
        inverse.at[i][j] += v.at[i][k] / d[k] * v.at[j][k];
      }
    }
}

/// The linear map that turns covariance `from` into covariance `to` with the smallest mean squared
/// displacement (Pitie and Kokaram 2007, eq. 11):
/// from^-1/2 (from^1/2 to from^1/2)^1/2 from^-1/2.
static MT_HD inline Matrix3 monge_kantorovich(const Matrix3& from, const Matrix3& to) {
  constexpr float kMinEigenvalue = 1e-10f;
  Matrix3 root, inverse, middle, unused;
  square_root(from, kMinEigenvalue, root, inverse);
  square_root(multiply(multiply(root, to), root), kMinEigenvalue, middle, unused);
  return multiply(multiply(inverse, middle), inverse);
}

}  // namespace mt
