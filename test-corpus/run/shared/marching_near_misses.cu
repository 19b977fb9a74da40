// Kernels that nearly march by the rules: what differs from them decides what they compute.
#include <cstdio>

constexpr int TX = 16, TY = 4, NX = 18, NY = 6, NZ = 9, SIZE = NX * NY * NZ;

__device__ float volume_[SIZE], more_[SIZE];
__device__ int flag;
__device__ float put(float* to, int place, float v) { return to[place] = v; }

__global__ void plainOne(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                         int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                tile[ty + 1][tx];
    }
    at += plane;
  }
}

__global__ void upwind(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                       int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                tile[ty + 1][tx] + 0.5f * out[at - plane - 1] + 0.25f * out[at - plane + 1];
    }
    at += plane;
  }
}

__global__ void upwindAfter(const float* __restrict__ in, float* __restrict__ out,
                            float* __restrict__ more, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                tile[ty + 1][tx];
    }
    __syncthreads();
    if (inside)
      more[at] = out[at + (x > 1 ? -1 : 0)];
    at += plane;
  }
}

__global__ void readBeside(const float* __restrict__ in, float* out, const float* prev, int nx,
                           int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      const float p = prev[at - plane - 1];
      out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                tile[ty + 1][tx] + p;
    }
    at += plane;
  }
}

__global__ void helperStores(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      const float r = put(out, at,
                          cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] -
                              tile[ty - 1][tx] - tile[ty + 1][tx]);
      more_[at] = r;
    }
    at += plane;
  }
}

__global__ void helperStores2(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      const float r = (out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] -
                                 tile[ty - 1][tx] - tile[ty + 1][tx]);
      (void)r;
    }
    at += plane;
  }
}

__global__ void globalStores(const float* in, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      volume_[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                    tile[ty + 1][tx];
    }
    at += plane;
  }
}

__global__ void rowsOfPointers(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float* to[2] = {out, out};
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      to[z & 1][at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                      tile[ty + 1][tx];
    }
    at += plane;
  }
}

__global__ void castAway(const float* __restrict__ in, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float* to = const_cast<float*>(in);
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      to[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
               tile[ty + 1][tx];
    }
    at += plane;
  }
}

__global__ void toggled(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                        int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  int one = 0;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                tile[ty + 1][tx] + one;
    }
    at += plane;
    one = 1 - one;
  }
}

__global__ void lagging(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                        int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  int lag = at;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                tile[ty + 1][tx] + in[lag];
    }
    lag = at;
    at += plane;
  }
}

__global__ void hidesTheArray(const float* __restrict__ in, float* __restrict__ out,
                              const float* __restrict__ beside, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      const float* in = beside;
      out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                tile[ty + 1][tx] + in[at];
    }
    at += plane;
  }
}

__global__ void flagged(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                        int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const bool inside = x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  float below = 0, cur = in[at - plane], above = in[at];
  for (int z = 1; z < nz - 1; ++z) {
    below = cur;
    cur = above;
    above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == TX - 1)
      tile[ty][TX + 1] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inside) {
      out[at] = cur + below + above + tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] -
                tile[ty + 1][tx] + flag;
    }
    __syncthreads();
    if (tx == 2 && ty == 1 && blockIdx.x + blockIdx.y == 0)
      flag = z;
    __syncthreads();
    at += plane;
  }
}

// Tiles of which a part is filled behind the read: it is a step old.
__global__ void stale(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                      int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  for (int z = 1; z < nz - 1; ++z) {
    tile[ty][tx] = in[at];
    __syncthreads();
    if (x < nx - 1 && y < ny - 1 && z > 1)
      out[at] = tile[ty][tx - 1] + tile[ty][tx];
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    __syncthreads();
    at += plane;
  }
}
// Tiles that move on with the steps.
__global__ void skewed(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                       int nz) {
  __shared__ float tile[TY][TX + NZ];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const int plane = nx * ny;
  int at = y * nx + x + plane;
  for (int z = 1; z < nz - 1; ++z) {
    __syncthreads();
    tile[ty][tx + z] = in[at];
    __syncthreads();
    if (x < nx - 1 && y < ny - 1 && z > 1)
      out[at] = tile[ty][tx + z - 1];
    at += plane;
  }
}
// Queues of which a part is zeros, or that are shifted where they are read.
template <int N>
__global__ void queue(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                      int nz) {
  __shared__ float tile[TY][TX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const int plane = nx * ny;
  int at = y * nx + x;
  float q[5];
  for (int i = 0; i < 5; ++i)
    q[i] = i < 3 ? in[at + i * plane] : 0.0f;
  for (int z = 0; z < nz - 5; ++z) {
    __syncthreads();
    tile[ty][tx] = q[0];
    __syncthreads();
    if (x < nx - 1 && y < ny - 1)
      out[at] = tile[ty][tx] + q[3] + q[4] * 2;
    for (int i = 0; i < 4; ++i)
      q[i] = q[i + 1];
    q[4] = in[at + 5 * plane];
    at += plane;
  }
}
__global__ void queueRead(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                          int nz) {
  __shared__ float tile[TY][TX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const int plane = nx * ny;
  int at = y * nx + x;
  float q[5];
  for (int i = 0; i < 5; ++i)
    q[i] = in[at + i * plane];
  for (int z = 0; z < nz - 5; ++z) {
    __syncthreads();
    tile[ty][tx] = q[0];
    __syncthreads();
    float p[5], r[4];
    const float first = tile[ty][tx];
    for (int i = 0; i < 4; ++i) {
      q[i] = q[i + 1];
      r[i] = q[i + 1];
    }
    for (int i = 0; i < 5; ++i)
      p[i] = q[i];
    q[4] = in[at + 5 * plane];
    if (x < nx - 1 && y < ny - 1)
      out[at] = first + p[3] + p[4] * 2 + r[0] * 4 + r[3] * 8;
    at += plane;
  }
}
__global__ void filled(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                       int nz) {
  __shared__ float tile[TY][TX + 4];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const int plane = nx * ny, x0 = blockIdx.x * TX;
  for (int z = 0; z < nz; ++z) {
    __syncthreads();
    for (int i = tx; i < TX + 4; i += TX)
      tile[ty][i] = i < 6 ? in[z * plane + y * nx + x0 + i] : 0.0f;
    __syncthreads();
    if (x < nx - 4 && y < ny - 1)
      out[z * plane + y * nx + x] = tile[ty][tx] + tile[ty][tx + 2];
  }
}
__global__ void unsignedPlaces(const float* __restrict__ in, float* __restrict__ out, int nx,
                               int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  constexpr int off = -1;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TX + threadIdx.x + off, y = blockIdx.y * TY + threadIdx.y;
  const int plane = nx * ny;
  for (int z = 0; z < nz; ++z) {
    const float c = x >= 0 && x < nx && y < ny ? in[z * plane + y * nx + x] : 7.0f;
    __syncthreads();
    tile[ty][tx] = c;
    __syncthreads();
    if (x < nx - 1 && y < ny - 1)
      out[z * plane + y * nx + x + 1] = c + tile[ty][tx];
  }
}

void show(const char* name, const float* out) {
  cudaError_t error = cudaDeviceSynchronize();
  double sum = 0;
  unsigned hash = 0;
  for (int i = 0; i < SIZE; ++i) {
    sum += out[i];
    hash = hash * 31 + (unsigned)(int)(out[i] * 16);
  }
  printf("%s: %d %.3f %08x\n", name, (int)error, sum, hash);
}

int main() {
  float *memory[5], *volume;
  for (float*& m : memory)
    cudaMallocManaged(&m, (SIZE + 4 * NX * NY) * sizeof(float));
  float *in = memory[0], *out = memory[1], *more = memory[2], *out2 = memory[3];
  cudaGetSymbolAddress((void**)&volume, volume_);
  const dim3 blocks(1, 1), threads(TX, TY);
  const auto fill = [&] {
    for (int i = 0; i < SIZE + 4 * NX * NY; ++i) {
      in[i] = i * 37 % 101;
      out[i] = i * 11 % 13;
      more[i] = 0;
      out2[i] = i % 7;
    }
    cudaMemcpy(volume, in, SIZE * sizeof(float), cudaMemcpyDefault);
  };
  fill();
  plainOne<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("plainOne", out);
  fill();
  upwind<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("upwind", out);
  fill();
  upwindAfter<<<blocks, threads>>>(in, out, more, NX, NY, NZ);
  show("upwindAfter", more);
  fill();
  readBeside<<<blocks, threads>>>(in, out, out, NX, NY, NZ);
  show("readBeside", out);
  fill();
  helperStores<<<blocks, threads>>>(out, out, NX, NY, NZ);
  show("helperStores", out);
  fill();
  helperStores2<<<blocks, threads>>>(out, out, NX, NY, NZ);
  show("helperStores2", out);
  fill();
  globalStores<<<blocks, threads>>>(volume, NX, NY, NZ);
  show("globalStores", out);
  cudaMemcpy(more, volume, SIZE * sizeof(float), cudaMemcpyDefault);
  show("volume", more);
  fill();
  rowsOfPointers<<<blocks, threads>>>(out, out, NX, NY, NZ);
  show("rowsOfPointers", out);
  fill();
  castAway<<<blocks, threads>>>(out, NX, NY, NZ);
  show("castAway", out);
  fill();
  toggled<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("toggled", out);
  fill();
  lagging<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("lagging", out);
  fill();
  hidesTheArray<<<blocks, threads>>>(in, out, out2, NX, NY, NZ);
  show("hidesTheArray", out);
  fill();
  flagged<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("flagged", out);
  fill();
  stale<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("stale", out);
  fill();
  skewed<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("skewed", out);
  fill();
  queue<1><<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("queue<1>", out);
  fill();
  queueRead<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("queueRead", out);
  fill();
  filled<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("filled", out);
  fill();
  unsignedPlaces<<<blocks, threads>>>(in, out, NX, NY, NZ);
  show("unsignedPlaces", out);
}
