// Places that several statements put together and that move on in loops before and around barriers, and flags that a
// condition sets, keep their values; so do those that look alike and are not.
#include <cstdio>

__global__ void march(const int* in, int* out, int nx, int ny, int planes) {
  __shared__ int tile[6][18];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int pitch = nx + 2, plane = pitch * (ny + 2);
  int from = pitch + 1;
  from += y * pitch + x;
  int window[3];
  int current = 7;
  bool reads = true;
  bool writes = false;
  if (x >= nx + 1 || y >= ny + 1)
    reads = false;
  if (x < nx && y < ny) {
    writes = true;
  }
  int to = 0;
  for (int i = 1; i >= 0; i--) {
    if (reads)
      window[i] = in[from];
    else
      window[i] = 0;
    from += plane;
  }
  window[2] = 1;
  to = from;
  from += plane;
  for (int z = 2; z < planes - 1; ++z) {
    for (int i = 2; i > 0; i--)
      window[i] = window[i - 1];
    window[0] = current;
    if (reads)
      current = in[from];
    from += plane;
    __syncthreads();
    tile[threadIdx.y + 1][threadIdx.x + 1] = current + window[2];
    __syncthreads();
    if (writes)
      out[to] = window[0] + 3 * window[1] + tile[threadIdx.y + 1][threadIdx.x + 1] * 5 +
                tile[(threadIdx.y + 1) % 4 + 1][threadIdx.x + 1];
    to += plane;
  }
}

// Asked for in between, set anew in a branch, moved by what differs, and a flag that is asked for too early.
__global__ void alike(const int* in, int* out, int steps) {
  __shared__ int shared[32];
  const int t = threadIdx.x;
  int seen = 3;
  int sum = seen * 2;
  seen += t * 2;
  int branch = 5;
  if (t % 3 == 1)
    branch = t;
  int uneven = 1;
  uneven += t;
  bool early = true;
  int before = early ? 10 : 20;
  if (t > 11)
    early = false;
  bool twice = false;
  if (t < 20)
    twice = true;
  if (t < 4)
    twice = false;
  bool number = true; if (t & 4) number = false;
  for (int s = 0; s < steps; ++s) {
    shared[t] = in[seen % 64] + branch + uneven;
    __syncthreads();
    sum = sum * 3 % 10007 + shared[31 - t] + (early ? before : 1) + (twice ? 100 : 0) + (number ? 1000 : 2);
    __syncthreads();
    seen += 5;
    branch += 2;
    uneven += t % 2;
  }
  out[t] = sum;
}

int main() {
  const int nx = 20, ny = 9, planes = 8, count = (nx + 40) * (ny + 20) * planes;
  int *in, *out;
  cudaMallocManaged(&in, count * sizeof(int));
  cudaMallocManaged(&out, count * sizeof(int));
  for (int i = 0; i < count; ++i) {
    in[i] = i * 29 % 97;
    out[i] = -1;
  }
  march<<<dim3(2, 3), dim3(16, 4)>>>(in, out, nx, ny, planes);
  cudaDeviceSynchronize();
  long long total = 0;
  for (int i = 0; i < count; ++i)
    total += (long long)out[i] * (i % 13 + 1);
  printf("%lld %d %d %d\n", total, out[2 * 242 + 23], out[4 * 242 + 60], out[5 * 242 + 150]);
  alike<<<1, 32>>>(in, out, 6);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}
