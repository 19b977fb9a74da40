// Arrays that each thread keeps for itself: those that are filled anew in each step are no longer kept, those that are
// reached element by element alone are rows in memory, and short loops over them are written out. Products of tiles
// run for few threads at a time.
template <int Rows, int Columns, int Depth> __global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float left[Depth][16 * Rows];
  __shared__ float right[Depth][16 * Columns];
  float sum[Rows * Columns] = {0.0f};
  float ofLeft[Rows] = {0.0f};
  float ofRight[Columns] = {0.0f};
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < n; k += Depth) {
    for (int i = y; i < Depth; i += 16)
      for (int j = x; j < 16 * Rows; j += 16)
        left[i][j] = a[(blockIdx.y * 16 * Rows + j) * n + k + i];
    for (int i = y; i < Depth; i += 16)
      for (int j = x; j < 16 * Columns; j += 16)
        right[i][j] = b[(k + i) * n + blockIdx.x * 16 * Columns + j];
    __syncthreads();
    for (int d = 0; d < Depth; ++d) {
      for (int i = 0; i < Rows; ++i) ofLeft[i] = left[d][y * Rows + i];
      for (int j = 0; j < Columns; ++j) ofRight[j] = right[d][x * Columns + j];
      for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < Columns; ++j)
          sum[i * Columns + j] += ofLeft[i] * ofRight[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      c[(blockIdx.y * 16 * Rows + y * Rows + i) * n + blockIdx.x * 16 * Columns + x * Columns + j] =
          sum[i * Columns + j];
}

// Neighbouring threads read neighbouring elements: the loop around is written out too, for rows of threads to share.
__global__ void apart(const float* a, const float* b, float* c, int n) {
  __shared__ float left[64][16];
  __shared__ float right[16][64];
  float sum[4][4] = {};
  const int x = threadIdx.x, y = threadIdx.y;
  for (int t = 0; t < n; t += 16) {
    for (int i = 0; i < 4; ++i) {
      left[y + 16 * i][x] = a[(y + 16 * i) * n + t + x];
      right[y][x + 16 * i] = b[(t + y) * n + x + 16 * i];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += left[y + 16 * i][k] * right[k][x + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(y + 16 * i) * n + x + 16 * j] = sum[i][j];
}

// What is chosen for each element is no product of tiles.
__global__ void limited(const float* a, float* c, int n) {
  __shared__ float tile[16][64];
  float sum[4] = {};
  const int x = threadIdx.x, y = threadIdx.y;
  for (int t = 0; t < n; t += 16) {
    for (int i = 0; i < 4; ++i) tile[y][x + 16 * i] = a[(t + y) * n + x + 16 * i];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i) sum[i] += t + k < n ? tile[k][x + 16 * i] : 0.0f;
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) c[y * n + x + 16 * i] = sum[i];
}

// Loaded as vectors, all elements in each step, and stored as vectors.
__global__ void vectors(const float* a, float* c, int n) {
  __shared__ float tile[2][256];
  float moved[4], row[8];
  float sum[4] = {};
  const int t = threadIdx.x;
  *(float4*)&moved[0] = *(const float4*)&a[4 * t];
  *(float4*)&tile[0][4 * t] = *(float4*)&moved[0];
  __syncthreads();
  for (int k = 1; k < n; ++k) {
    reinterpret_cast<float4*>(&(moved[0]))[0] = *(const float4*)&a[256 * k + 4 * t];
    for (int i = 0; i < 8; i += 4)
      reinterpret_cast<float4*>(&(row[i]))[0] = reinterpret_cast<float4*>(&(tile[(k - 1) & 1][128 + i * t % 128]))[0];
    for (int i = 0; i < 4; ++i)
      sum[i] += row[i] * row[7 - i];
    *(float4*)&tile[k & 1][4 * t] = *(float4*)&moved[0];
    __syncthreads();
  }
  *(float4*)&c[4 * t] = *(float4*)sum;
}

// The address of an element, an element that the threads do not agree on, and loops of as many steps as a thread likes: no rows.
__global__ void others(const float* a, float* c, int n) {
  __shared__ float now[16];
  float pointed[4] = {}, chosen[4] = {}, far[4] = {};
  const int x = threadIdx.x;
  for (int t = 0; t < n; ++t) {
    now[x] = a[t * 16 + x];
    __syncthreads();
    float* first = &pointed[0];
    first[t % 4] += now[15 - x];
    chosen[x % 4] += now[x ^ 1];
    __syncthreads();
    for (int i = x; i < n; ++i)
      far[1] += now[x] * i;
    __syncthreads();
  }
  c[x] = pointed[1] + chosen[2] + far[1];
}

// Quotients of places in the block are one value for a part of a row.
template <int Width> __global__ void divided(const float* a, float* c) {
  __shared__ float tile[64];
  const int row = threadIdx.x / Width, column = threadIdx.x % Width;
  tile[threadIdx.x] = a[column * (64 / Width) + row];
  __syncthreads();
  c[threadIdx.x] = tile[threadIdx.x & ~1] + tile[threadIdx.x >> 4];
}

// So they are in loops of few wide steps, between barriers: a warp would gather.
__global__ void loaded(const float* a, float* c, int n) {
  __shared__ float tile[64 * 8];
  const int row = threadIdx.x / 8, column = threadIdx.x % 8;
  const int stride = 256 / 8;
  float sum = 0;
  for (int k = 0; k < n; k += 8) {
    for (int i = 0; i < 64; i += stride)
      tile[(row + i) * 8 + column] = a[(row + i) * n + k + column];
    __syncthreads();
    sum += tile[511 - threadIdx.x];
    __syncthreads();
  }
  c[threadIdx.x] = sum;
}

void run(const float* a, const float* b, float* c) {
  loaded<<<1, 256>>>(a, c, 64);
  others<<<1, 16>>>(a, c, 64);
  divided<8><<<1, 64>>>(a, c);
  product<4, 8, 8><<<dim3(1, 2), dim3(16, 16)>>>(a, b, c, 128);
  apart<<<1, dim3(16, 16)>>>(a, b, c, 64);
  limited<<<1, dim3(16, 16)>>>(a, c, 64);
  vectors<<<1, 64>>>(a, c, 8);
}

// WARNINGS: the arrays that each step fills anew are unused where they are declared first
// FORM: product split
// CHECK: cu2cpp::PerThread<float[Rows * Columns]> cuEach_sum(cuBlock);
// CHECK: cu2cpp::eachTile<(Columns)>(cuBlock, cuEach_sum, [&](const auto& cuThreads, auto& cuEach_sum)
// CHECK: CU2CPP_STEP_BY_STEP for (int d = 0; d < Depth; ++d) {
// CHECK: cuThreads.each([&](const cu2cpp::Thread cuThisThread)
// CHECK: const auto sum = cuEach_sum[cuThisThread];
// CHECK: float ofLeft[Rows];
// CHECK: CU2CPP_UNROLL for (int i = 0; i < Rows; ++i) ofLeft[i] = left[d][y * Rows + i];
// CHECK: CU2CPP_UNROLL for (int j = 0; j < Columns; ++j)
// CHECK: CU2CPP_UNROLL for (int j = 0; j < Columns; ++j)
// CHECK-NOT: cuEach_ofLeft
// FORM: apart split
// CHECK: cu2cpp::PerThread<float[4][4]> cuEach_sum(cuBlock);
// CHECK: cu2cpp::eachTile<1>(cuBlock, cuEach_sum, [&](const auto& cuThreads, auto& cuEach_sum)
// CHECK: CU2CPP_STEP_BY_STEP for (int k = 0; k < 16; ++k)
// CHECK: cuThreads.each([&](const cu2cpp::Thread cuThisThread)
// CHECK: const auto sum = cuEach_sum[cuThisThread];
// CHECK: CU2CPP_UNROLL for (int i = 0; i < 4; ++i)
// CHECK: CU2CPP_UNROLL for (int j = 0; j < 4; ++j)
// FORM: limited split
// CHECK: auto cuEach_sum = cu2cpp::threadRows<float[4]>(cuBlock);
// CHECK: sum.set(sum_init);
// FORM: vectors split
// CHECK: cu2cpp::PerThread<float[4]> cuEach_sum(cuBlock);
// CHECK: float moved[4];
// CHECK: float row[8];
// CHECK-NOT: cuEach_moved
// CHECK-NOT: cuEach_row
// FORM: others split
// CHECK: cu2cpp::PerThread<float[4]> cuEach_pointed(cuBlock);
// CHECK: cu2cpp::PerThread<float[4]> cuEach_chosen(cuBlock);
// CHECK: cu2cpp::PerThread<float[4]> cuEach_far(cuBlock);
// FORM: divided split
// CHECK: cu2cpp::eachThreadByParts<Width>(cuBlock
// CHECK: cu2cpp::eachThreadByParts<16>(cuBlock
// FORM: loaded split
// CHECK: cu2cpp::eachThreadByParts<8>(cuBlock, [&](const uint3 threadIdx) {
// CHECK: for (int i = 0; i < 64; i += stride)
// CHECK-NOT: cu2cpp::eachLane
