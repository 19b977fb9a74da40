// Loops whose heads move places and pointers on beside counting: that is what the end of a step does, with or without braces, also
// of loops in each other that end at one place. Not where a step goes on early, or where what is moved depends on the counter.
#include <cstdio>
#include <vector>

struct Size {
  int nx, ny, nz;
};

template <typename T> __global__ void pointers(const T* __restrict__ in, T* __restrict__ out, Size s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < s.nx - 1 && y < s.ny - 1) {
    const T* p = in + ((size_t)s.ny + y) * s.nx + x;
    T* q = out + ((size_t)s.ny + y) * s.nx + x;
    for (int z = 1; z < s.nz - 1; ++z, p += s.nx * s.ny, q += s.nx * s.ny)
      *q = 2 * *p + 3 * (p[-1] + p[1]) + 5 * (p[-s.nx] + p[s.nx]) + 7 * (p[-s.nx * s.ny] + p[s.nx * s.ny]);
  }
}

__global__ void places(const float* in, float* out, Size s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, plane = s.nx * s.ny;
  if (x >= s.nx || y >= s.ny) return;
  int at = y * s.nx + x;
  for (int z = 0; z < s.nz - 1; at += plane, z++) {
    float sum = in[at];
    sum += 3 * in[at + plane];
    out[at] = sum;
  }
  out[at] = 5;
}

// Both loops end behind the same semicolon or brace.
__global__ void nested(const float* in, float* out, Size s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= s.nx) return;
  int at = x, count = 0;
  for (int z = 0; z < s.nz; ++z, count += 2)
    for (int y = 0; y < s.ny; ++y, at += s.nx) out[at] = in[at] + count;
  int back = x;
  for (int z = 0; z < s.nz; ++z, --count)
    for (int y = 0; y < s.ny; ++y, back += s.nx)
      if (in[back] > 100) {
        out[back] += count;
      }
}

__global__ void continues(const float* in, float* out, Size s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= s.nx) return;
  int at = x;
  for (int y = 0; y < s.ny * s.nz; ++y, at += s.nx) {
    if (in[at] > 150) continue;
    out[at] = in[at] * 2;
  }
}

// The place moves on by the counter; another one is what the counter's bound is.
__global__ void byCounter(const float* in, float* out, Size s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= s.nx) return;
  int at = x, end = s.ny;
  for (int k = 0; at + k < s.nx * s.ny; ++k, at += k * s.nx) out[at] += in[at] + k;
  for (int k = 0; k < end; k += 2, --end) out[k * s.nx + x] += end;
  for (int k = 0, last = 0; k < s.ny; last = k, ++k) out[k * s.nx + x] += last;
}

// A step declares what the head moves by another meaning.
__global__ void hides(const float* in, float* out, Size s, int by) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= s.nx) return;
  int at = x;
  for (int y = 0; y < s.ny; ++y, at += by) {
    const int by = int(in[at]) % 3;
    out[at] = in[at] + by;
  }
}

int main() {
  const Size s{70, 13, 9};
  const size_t n = size_t(s.nx) * s.ny * s.nz;
  std::vector<float> host(n);
  std::vector<double> hostD(n);
  for (size_t i = 0; i < n; ++i) hostD[i] = host[i] = float((i * 31 + i / 7) % 211);
  float *in, *out;
  double *inD, *outD;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&inD, n * sizeof(double));
  cudaMalloc(&outD, n * sizeof(double));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(inD, hostD.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  cudaMemset(outD, 0, n * sizeof(double));
  const auto print = [&](const char* name) {
    cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (size_t i = 0; i < n; ++i) sum += (long long)host[i] * (long long)(i % 13 + 1);
    printf("%s %lld\n", name, sum);
    cudaMemset(out, 0, n * sizeof(float));
  };
  const dim3 block(32, 4), grid(3, 4);
  pointers<<<grid, block>>>(in, out, s);
  print("pointers");
  pointers<<<grid, block>>>(inD, outD, s);
  cudaMemcpy(hostD.data(), outD, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < n; ++i) host[i] = float(hostD[i]);
  cudaMemcpy(out, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  print("doubles");
  places<<<grid, block>>>(in, out, s);
  print("places");
  nested<<<3, 32>>>(in, out, s);
  print("nested");
  continues<<<3, 32>>>(in, out, s);
  print("continues");
  byCounter<<<3, 32>>>(in, out, s);
  print("by the counter");
  hides<<<3, 32>>>(in, out, s, s.nx);
  print("hides");
  return 0;
}
