// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on a thread's place in its row are known for ranges of threads before the loop over them; what one thread
// does alone is no loop.
__global__ void scan(const int* in, int* out, int n) {
  __shared__ int s[2][128];
  int t = threadIdx.x;
  int from = 0;
  s[0][t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int offset = 1; offset < 128; offset *= 2) {
    if (t >= offset)
      s[1 - from][t] = s[from][t] + s[from][t - offset];
    else
      s[1 - from][t] = s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
  if (t == 127)
    out[128] = s[from][t];
}
// CHECK: cu2cpp::runBlock<128>([&](const auto& cuBlock) CU2CPP_INLINE {
// CHECK: return cu2cpp::Inside().atLeast(t, offset); }(uint3{}),
// CHECK: if (cuInside || t >= offset)
// CHECK: cu2cpp::eachThreadAt(cuBlock, 127, [&](const uint3 threadIdx) {

__global__ void clamped(int* out, int last) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t * t;
  __syncthreads();
  int right = t + 1 > last ? last : t + 1;
  out[t] = s[right];
}
// CHECK: return cu2cpp::Inside().atMost(t + 1, last); }(uint3{}),
// CHECK: int right = (!cuInside && (t + 1 > last)) ? last : t + 1;

// A branch that threads of a range take, with one value for their row.
__global__ void factors(float* out, int k) {
  __shared__ float a[16][16];
  int r = threadIdx.y, c = threadIdx.x;
  a[r][c] = out[r * 16 + c];
  __syncthreads();
  if (r > k && c > k)
    a[r][c] -= a[r][k] * a[k][c];
  __syncthreads();
  out[r * 16 + c] = a[r][c];
}
// CHECK: cu2cpp::eachThreadWithin(cuBlock, [&](const uint3 threadIdx) {
// CHECK: return cu2cpp::Inside().above(c, k); }(uint3{}),
// CHECK: if (r > k && (cuInside || c > k))

// Two elements for each thread.
__global__ void pairs(const int* in, int* out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, base = blockIdx.x * 64;
  s[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
  s[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
  __syncthreads();
  if (base + t * 2 < n)
    out[base + t * 2] = s[63 - 2 * t];
}
// CHECK: return cu2cpp::Inside().below(base + 2 * t, n, 2).below(base + 2 * t + 1, n, 2); }(uint3{}),
// CHECK: s[2 * t] = (cuInside || base + 2 * t < n) ? in[base + 2 * t] : 0;
// CHECK: return cu2cpp::Inside().below(base + t * 2, n, 2); }(uint3{}),

// Places that fall from thread to thread, of which both bounds are one condition.
__global__ void wavefront(int* out, int rows) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = 0; d < 64 + rows; ++d) {
    const int j = d - t;
    if (j >= 0 && j < rows)
      s[t] += j;
    __syncthreads();
  }
  out[t] = s[63 - t];
}
// CHECK: return cu2cpp::Inside().atLeast(cu2cpp::falling(j), 0).below(cu2cpp::falling(j), rows).ofOne(); }(uint3{}),
// CHECK: if ((cuInside || j >= 0) && (cuInside || j < rows))

// Tiles with a width that is a name for a number; places that one region alone names.
const int tileWidth = 32;
__global__ void turned(const int* in, int* out, int width, int height) {
  __shared__ int tile[tileWidth][tileWidth + 1];
  const int x = blockIdx.x * tileWidth + threadIdx.x;
  const int y = blockIdx.y * tileWidth + threadIdx.y;
  for (int j = 0; j < tileWidth; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int column = blockIdx.y * tileWidth + threadIdx.x;
  const int row = blockIdx.x * tileWidth + threadIdx.y;
  for (int j = 0; j < tileWidth; j += 8)
    if (column < height && row + j < width)
      out[(row + j) * height + column] = tile[threadIdx.x][threadIdx.y + j];
}
// CHECK: cu2cpp::eachThreadInBox(cuBlock, [&](const uint3 threadIdx) {
// CHECK: return cu2cpp::Box{cu2cpp::Inside().below(x, width),
// CHECK: cu2cpp::Inside().below(y + j, height),
// CHECK: if ((cuInside || x < width) && (cuInside || y + j < height))
// CHECK: const int column = blockIdx.y * tileWidth + threadIdx.x;
// CHECK: const auto cuTurned1 = cu2cpp::turnedCopy(cuBlock, tile);
// CHECK: return cu2cpp::Box{cu2cpp::Inside().below(column, height),
// CHECK: cu2cpp::Inside().below(row + j, width),
// CHECK: if ((cuInside || column < height) && (cuInside || row + j < width))
// CHECK: cuTurned1[threadIdx.x][threadIdx.y + j];

// Every second thread, then every fourth; a byte does not hold a thread's place.
__global__ void interleaved(int* out) {
  __shared__ int s[512];
  unsigned int tid = threadIdx.x;
  unsigned char low = threadIdx.x;
  s[tid] = tid + low;
  for (unsigned int d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    if (tid % (2 * d) == 0)
      s[tid] += s[tid + d];
    __syncthreads();
    if (low == 0)
      ++s[tid];
  }
  if (tid == 0)
    out[0] = s[0];
}
// CHECK: cu2cpp::eachThreadEvery(cuBlock, (2 * d), [&](const auto cuInside, const uint3 threadIdx) CU2CPP_INLINE {
// CHECK: if (cuInside || tid % (2 * d) == 0)
// CHECK: cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
// CHECK: if (low == 0)
// CHECK: cu2cpp::eachThreadAt(cuBlock, 0, [&](const uint3 threadIdx) {
// CHECK: out[0] = s[0];

void launchAll(const int* in, int* out, int n) {
  interleaved<<<1, 512>>>(out);
  turned<<<dim3(2, 2), dim3(tileWidth, 8)>>>(in, out, n, n);
  pairs<<<2, 32>>>(in, out, n);
  scan<<<1, 128>>>(in, out, n);
  clamped<<<1, 64>>>(out, n);
  factors<<<1, dim3(16, 16)>>>(nullptr, n);
}

// A branch for the inner threads of a tile; not one of several statements, or of what has an effect before it.
__global__ void inner(const int* in, int* out, int* count, int n) {
  __shared__ int s[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  if (y < n)
    s[y][x] = in[y * n + x];
  __syncthreads();
  if (x >= 1 && x < 7) {
    if (1 <= y && y < 7 && s[y][x] != 3)
      out[y * n + x] = s[y][x - 1] + s[y - 1][x];
  }
  __syncthreads();
  if (atomicAdd(count, 1) < n && y < 3)
    out[x] = s[y][x];
}
// CHECK: return cu2cpp::Box{cu2cpp::Inside(),
// CHECK: cu2cpp::Inside().below(y, n),
// CHECK: return cu2cpp::BoxOfTile{cu2cpp::Box{cu2cpp::Inside().atLeast(x, 1).below(x, 7),
// CHECK: cu2cpp::Inside().atLeast(y, 1).below(y, 7),
// CHECK: if ((cuInside || x >= 1) && (cuInside || x < 7)) {
// CHECK: if ((cuInside || 1 <= y) && (cuInside || y < 7) && s[y][x] != 3)
// CHECK: cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
// CHECK: if (atomicAdd(count, 1) < n && y < 3)

void launchInner(const int* in, int* out) { inner<<<1, dim3(8, 8)>>>(in, out, out + 64, 8); }

// What the next block begins and ends with is fetched while this one waits for nothing; not where loops pass over memory.
__global__ void reversed(const int* in, int* out, int n) {
  __shared__ int s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[127 - threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n)
    out[i] = s[threadIdx.x];
}
// CHECK: cu2cpp::prefetchNextBlock(cuBlock, in, [&](const uint3 blockIdx, const uint3 threadIdx) { int i = blockIdx.x * blockDim.x + threadIdx.x; return i; });
// CHECK: cu2cpp::prefetchNextBlock(cuBlock, out, [&](const uint3 blockIdx, const uint3 threadIdx) { int i = blockIdx.x * blockDim.x + threadIdx.x; return i; });

// Both rows of an array in one call; what the group declares is computed for the next block.
__global__ void twoRows(const int* in, int* out) {
  __shared__ int s[128];
  const int first = blockIdx.x * 256;
  s[127 - threadIdx.x] = in[first + threadIdx.x] + in[first + threadIdx.x + 128];
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = s[threadIdx.x];
}
// CHECK: cu2cpp::prefetchNextBlock(cuBlock, in, [&](const uint3 blockIdx, const uint3 threadIdx) { const int first = blockIdx.x * 256; return first + threadIdx.x; }, [&](const uint3 blockIdx, const uint3 threadIdx) { const int first = blockIdx.x * 256; return first + threadIdx.x + 128; });

// What may be a constant of a template's instances is the group's.
template <int width> __global__ void ofTemplate(const int* in, int* out, int n) {
  __shared__ int s[width];
  const int first = blockIdx.x * width;
  s[threadIdx.x] = in[first + threadIdx.x];
  __syncthreads();
  const int x = first + threadIdx.x;
  if (x >= n)
    return;
  out[x] = s[width - 1 - threadIdx.x];
}
// CHECK: const int first = blockIdx.x * width;
// CHECK: return cu2cpp::Inside().below(x, n); }(uint3{}),
// CHECK: if (!cuInside && (x >= n))

// A branch of threads that are far from each other: the others are left out.
__global__ void tree(const int* in, int* out) {
  __shared__ int s[128];
  s[threadIdx.x] = in[threadIdx.x];
  for (unsigned stride = 1; stride < 128; stride *= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < 128)
      s[index] += s[index - stride];
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: cu2cpp::eachThreadApart(cuBlock, [&](const uint3 threadIdx) {
// CHECK: unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
// CHECK: return cu2cpp::Inside().below(index, 128, cu2cpp::stepOf(2, stride)); }(uint3{}),
// CHECK: [&](const auto cuInside, const uint3 threadIdx) CU2CPP_INLINE {
// CHECK: if (cuInside || index < 128)

void launchReversed(const int* in, int* out) {
  reversed<<<4, 128>>>(in, out, 500);
  tree<<<1, 128>>>(in, out);
  ofTemplate<64><<<4, 64>>>(in, out, 250);
}

// A guard for the first few threads stands in a loop of its own: the others' conditions know more then.
template <int Radius> __global__ void haloOfRow(const float* in, float* out, int n) {
  __shared__ float s[64 + 2 * Radius];
  const int i = blockIdx.x * 64 + threadIdx.x, at = threadIdx.x + Radius;
  // CHECK: cu2cpp::eachThreadInside(cuBlock, [&](const uint3 threadIdx) {
  // CHECK: if (cuInside || i < n)
  if (i < n)
    s[at] = in[i];
  // CHECK: cu2cpp::eachThreadBelow(cuBlock, static_cast<unsigned>(Radius), [&](const uint3 threadIdx) {
  if (threadIdx.x < Radius) {
    s[threadIdx.x] = in[max(i - Radius, 0)];
    s[at + 64] = in[min(i + 64, n - 1)];
  }
  __syncthreads();
  if (i < n)
    out[i] = s[at - Radius] + s[at] + s[at + Radius];
}
void launchHaloOfRow(const float* in, float* out, int n) { haloOfRow<3><<<(n + 63) / 64, 64>>>(in, out, n); }

// What the block's size decides and what only a part of the branch asks, of the grid; a variable in front of the branch.
__global__ void filtered(const int* in, int* out, int w, int h) {
  __shared__ int s[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 6 + tx, y = blockIdx.y * 6 + ty;
  s[ty][tx] = in[x + y];
  __syncthreads();
  int sum = 0;
  if (tx < 6 && ty < 6) {
    sum = s[ty + 1][tx] + s[ty][tx + 1];
    if (tx < 3)
      sum *= 2;
    if (x < w && y < h)
      out[y * w + x] = sum;
  }
}
// CHECK: return cu2cpp::BoxWithin{{cu2cpp::Box{cu2cpp::Inside().below(tx, 6),
// CHECK: cu2cpp::Inside().below(ty, 6),
// CHECK: cu2cpp::Box{}},
// CHECK: cu2cpp::Box{cu2cpp::Inside().below(x, w),
// CHECK: cu2cpp::Inside().below(y, h),
// CHECK: if ((cuInside || tx < 6) && (cuInside || ty < 6)) {
// CHECK: if (tx < 3)
// CHECK: if ((cuInside || x < w) && (cuInside || y < h))

void launchFiltered(const int* in, int* out, int w, int h) { filtered<<<dim3(4, 4), dim3(8, 8)>>>(in, out, w, h); }

// What one thread does is no work for a warp, and of threads with loops of their own only those inside run. A row that
// its thread changes in such a loop stays a row in memory.
__global__ void eliminate(float* m) {
  __shared__ float a[32][33];
  __shared__ int pivot;
  const int tid = threadIdx.x;
  // CHECK: float a[32][33];
  for (int r = 0; r < 32; ++r)
    a[r][tid] = m[r * 32 + tid];
  __syncthreads();
  for (int k = 0; k < 32; ++k) {
    // CHECK: cu2cpp::eachThreadAt(cuBlock, 0, [&](const uint3 threadIdx) {
    // CHECK: for (int r = k + 1; r < 32; ++r)
    // CHECK: if (a[r][k] > a[most][k])
    if (tid == 0) {
      int most = k;
      for (int r = k + 1; r < 32; ++r)
        if (a[r][k] > a[most][k])
          most = r;
      pivot = most;
    }
    __syncthreads();
    // CHECK: cu2cpp::eachThreadWithin(cuBlock, [&](const uint3 threadIdx) {
    // CHECK: return cu2cpp::Inside().above(tid, k); }(uint3{}),
    // CHECK: if (cuInside || tid > k) {
    if (tid > k) {
      const float factor = a[tid][k] / a[pivot][k];
      for (int c = k + 1; c < 32; ++c)
        a[tid][c] -= factor * a[pivot][c];
    }
    __syncthreads();
  }
  for (int r = 0; r < 32; ++r)
    m[r * 32 + tid] = a[r][tid];
}
void launchEliminate(float* m) { eliminate<<<1, 32>>>(m); }

// Lanes of a warp that takes its rows in turns.
__global__ void update(float* m, int n, int k) {
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  __shared__ float a[32][33];
  for (int r = ty; r < n; r += blockDim.y)
    a[r][tx] = m[r * 32 + tx];
  __syncthreads();
  for (int r = k + 1 + ty; r < n; r += blockDim.y)
    // CHECK: cu2cpp::eachLaneWithin(cuWarp, cuLanes, [&](const uint3 threadIdx) {
    // CHECK: return cu2cpp::Inside().above(tx, k).below(tx, n); }(uint3{}),
    // CHECK: [&](const auto cuInside, const uint3 threadIdx) CU2CPP_INLINE {
    // CHECK: if ((cuInside || tx > k) && (cuInside || tx < n))
    if (tx > k && tx < n)
      a[r][tx] -= a[r][k] * a[k][tx];
  __syncthreads();
  for (int r = ty; r < n; r += blockDim.y)
    m[r * 32 + tx] = a[r][tx];
}
void launchUpdate(float* m) { update<<<1, dim3(32, 8)>>>(m, 30, 2); }
