// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::std::mdspan in kernels: sizes known by type or at run time, rows or columns first, strides,
// parts of dimensions, conversions, indices as arrays.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/mdspan>

namespace cs = cuda::std;
using Matrix = cs::mdspan<float, cs::dextents<int, 2>>;
using Columns = cs::mdspan<float, cs::dextents<int, 2>, cs::layout_left>;
using Strided = cs::mdspan<float, cs::dextents<int, 2>, cs::layout_stride>;

// Any layouts.
template <class In, class Out> __global__ void transpose(In in, Out out) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < in.extent(0) && j < in.extent(1))
    out(j, i) = in(i, j);
}

__global__ void stencil(cs::mdspan<const float, cs::extents<int, cs::dynamic_extent, 4, 5>> in,
                        cs::mdspan<float, cs::dextents<int, 3>> out) {
  const int i = threadIdx.z, j = threadIdx.y, k = threadIdx.x;
  if (i >= in.extent(0) || j >= in.extent(1) || k >= in.extent(2))
    return;
  const cs::array<int, 3> place{i, j, k};
  float sum = in[place];
  if (k > 0)
    sum += in(i, j, k - 1);
  if (j + 1 < in.extent(1))
    sum += 2 * in(i, j + 1, k);
  if (i > 0)
    sum -= in(i - 1, j, k);
  out(i, j, k) = sum;
}

// A shared tile as a view.
__global__ void tiled(Matrix in, Matrix out) {
  __shared__ float memory[8 * 9];
  cs::mdspan<float, cs::extents<int, 8, 9>> tile(memory);
  for (int j = threadIdx.x; j < 8; j += blockDim.x)
    for (int i = 0; i < 8; ++i)
      tile(j, i) = in(i, j);
  __syncthreads();
  for (int j = threadIdx.x; j < 8; j += blockDim.x)
    for (int i = 0; i < 8; ++i)
      out(i, j) += tile(i, j);
}

__global__ void one(cs::mdspan<int, cs::dextents<unsigned, 1>> line) {
  line[threadIdx.x] = int(line.size()) - int(threadIdx.x);
}

void show(const char* name, const float* data, int n) {
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += data[i] * ((i * 37) % 101);
  printf("%s: %.1f %.1f %.1f %.1f\n", name, sum, data[0], data[1], data[n - 1]);
}

int main() {
  constexpr int n = 600;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    in[i] = float(i % 91);
  cudaMemset(out, 0, n * sizeof(float));

  const dim3 threads(8, 8), blocks(4, 3);
  transpose<<<blocks, threads>>>(Matrix(in, 20, 30), Matrix(out, 30, 20));
  show("rows", out, n);
  transpose<<<blocks, threads>>>(Matrix(in, 20, 30), Columns(out, 30, 20));
  show("columns", out, n);
  const cs::array<int, 2> strides{1, 25};
  const Strided part(in + 3, cs::layout_stride::mapping<cs::dextents<int, 2>>(
                                 cs::dextents<int, 2>(10, 20), strides));
  transpose<<<blocks, threads>>>(part, Strided(Columns(out, 20, 10)));
  show("strided", out, n);
  stencil<<<1, dim3(5, 4, 6)>>>(
      cs::mdspan<const float, cs::extents<int, cs::dynamic_extent, 4, 5>>(in, 6),
      cs::mdspan<float, cs::dextents<int, 3>>(out, 6, 4, 5));
  show("stencil", out, n);
  tiled<<<1, 4>>>(Matrix(in, 8, 8), Matrix(out, 8, 8));
  show("tiled", out, n);
  int* line;
  cudaMallocManaged(&line, 16 * sizeof(int));
  one<<<1, 16>>>(cs::mdspan<int, cs::dextents<unsigned, 1>>(line, 16));
  cudaDeviceSynchronize();
  printf("%d %d\n", line[0], line[15]);

  // On the host.
  cs::mdspan cube(in, 2, 3, 4);
  const cs::mdspan<const float, cs::extents<int, 4, 6>> fixed(in);
  const cs::mdspan<const float, cs::dextents<int, 2>> any = fixed;
  static_assert(decltype(cube)::rank() == 3 && decltype(fixed)::rank_dynamic() == 0);
  static_assert(decltype(fixed)::static_extent(1) == 6);
  printf("%g %g %g %d %d %d %d\n", cube(1, 2, 3), fixed(2, 5), any(3, 1), (int)cube.size(),
         (int)cube.stride(0), any.extent(1), (int)part.mapping().required_span_size());
  printf("%d %d %d %d\n", part.is_exhaustive(), any.is_exhaustive(),
         any.extents() == fixed.extents(), (int)(sizeof(fixed) <= 2 * sizeof(void*)));
  cudaFree(in);
  cudaFree(out);
  cudaFree(line);
}
