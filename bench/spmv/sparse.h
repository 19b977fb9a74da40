// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse matrix in compressed rows: about 32 values a row, some rows much longer, columns in
// order.
#pragma once

#include "../measure.h"

struct Sparse {
  int rows;
  std::vector<int> begin, column;
  std::vector<float> value;
};

inline Sparse makeSparse(int rows) {
  Sparse m{rows, {0}, {}, {}};
  for (int r = 0; r < rows; ++r) {
    const int length = 16 + static_cast<int>(uniform(r) * 32) + (r % 97 == 0 ? 200 : 0);
    const int step = rows / length;
    for (int k = 0; k < length; ++k) {
      m.column.push_back(k * step + static_cast<int>(uniform(r * 131 + k) * step));
      m.value.push_back(uniform(r + 7 * k) - 0.5f);
    }
    m.begin.push_back(static_cast<int>(m.column.size()));
  }
  return m;
}
