// A wavefront over a tile reads along the same diagonals a table of scores that is filled by rows before and only read then.
#include <cstdio>
#include <vector>

constexpr int T = 16, LETTERS = 5;

// Both halves of the tile; the scores lie in a table of the tile's size, or in one that is wider.
template <int WIDTH, class Score> __global__ void align(Score* matrix, const unsigned char* a, const unsigned char* b, int cols,
                                                        Score gap, int diagonal, int firstRow) {
  __shared__ Score t[T + 1][T + 1];
  __shared__ Score scores[T][WIDTH];
  const int tx = threadIdx.x, by = firstRow + blockIdx.x, bx = diagonal - by;
  const int row = by * T, col = bx * T;
  const unsigned char mine = b[col + tx];
  for (int r = 0; r < T; ++r) scores[r][tx] = a[row + r] == mine ? Score(5) : Score(-3) - Score((a[row + r] + mine) % LETTERS);
  if (tx == 0) t[0][0] = matrix[row * cols + col];
  t[tx + 1][0] = matrix[(row + tx + 1) * cols + col];
  t[0][tx + 1] = matrix[row * cols + col + tx + 1];
  __syncthreads();
  for (int m = 0; m < T; ++m) {
    if (tx <= m) {
      const int x = tx + 1, y = m - tx + 1;
      t[y][x] = max(max(t[y - 1][x - 1] + scores[y - 1][x - 1], t[y][x - 1] - gap), t[y - 1][x] - gap);
    }
    __syncthreads();
  }
  for (int m = T - 2; m >= 0; --m) {
    if (tx <= m) {
      const int x = tx + T - m, y = T - tx;
      t[y][x] = max(max(t[y - 1][x - 1] + scores[y - 1][x - 1], t[y][x - 1] - gap), t[y - 1][x] - gap);
    }
    __syncthreads();
  }
  for (int r = 0; r < T; ++r) matrix[(row + r + 1) * cols + col + tx + 1] = t[r + 1][tx + 1];
}

template <int WIDTH, class Score> void run(int tiles) {
  const int n = tiles * T, cols = n + 1;
  std::vector<unsigned char> a(n), b(n);
  std::vector<Score> m(cols * cols, Score(0));
  for (int i = 0; i < n; ++i) {
    a[i] = (unsigned char)(i * 7 % 13 % LETTERS);
    b[i] = (unsigned char)(i * 5 % 11 % LETTERS);
  }
  for (int i = 0; i < cols; ++i) m[i] = m[i * cols] = Score(-2 * i);
  Score* dM;
  unsigned char *dA, *dB;
  cudaMalloc(&dM, m.size() * sizeof(Score));
  cudaMalloc(&dA, n);
  cudaMalloc(&dB, n);
  cudaMemcpy(dM, m.data(), m.size() * sizeof(Score), cudaMemcpyHostToDevice);
  cudaMemcpy(dA, a.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(dB, b.data(), n, cudaMemcpyHostToDevice);
  for (int d = 0; d < 2 * tiles - 1; ++d) {
    const int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
    align<WIDTH, Score><<<last - first + 1, T>>>(dM, dA, dB, cols, Score(2), d, first);
  }
  cudaMemcpy(m.data(), dM, m.size() * sizeof(Score), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (size_t i = 0; i < m.size(); ++i) sum += double(m[i]) * double(i % 61 + 1);
  printf("%d tiles, scores %d wide: %.1f %.1f\n", tiles, WIDTH, double(m.back()), sum);
  cudaFree(dM);
  cudaFree(dA);
  cudaFree(dB);
}

int main() {
  run<T, int>(4);
  run<T + 3, int>(3);
  run<T, float>(2);
}
