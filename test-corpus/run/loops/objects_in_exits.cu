// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that each thread leaves when it likes, which compute with objects: classes whose members
// have values from the start, constructors with default arguments, methods and operators that
// change the object, also by what they are changing, functions that change what they get by
// reference, and lambdas that return a number behind their loop. All values are small multiples of
// 1/16.
#include <cstdio>
#include <initializer_list>
#include <cuda_runtime.h>

// Members have values, which the constructor replaces.
struct Turned {
  double r = 0, i = 0;
  __device__ Turned() {}
  __device__ Turned(double a, double b) : r(a), i(b) {}
  __device__ double norm() const { return r * r + i * i; }
  __device__ Turned operator*(const Turned& o) const {
    return Turned(r * o.r - i * o.i, r * o.i + i * o.r);
  }
  __device__ Turned operator+(const Turned& o) const { return Turned(r + o.r, i + o.i); }
};

// An aggregate, of which one member has a value.
struct Sums {
  double sum = 1, last;
};

// Hidden members, asked for by methods.
class Hidden {
  double r, i;

public:
  __device__ Hidden(double a = 0, double b = 0) : r(a), i(b) {}
  __device__ double re() const { return r; }
  __device__ double im() const { return i; }
};
__device__ Hidden turned(const Hidden& a, const Hidden& c) {
  return Hidden(a.re() - a.im() + c.re(), a.re() + a.im() + c.im());
}

// What changes itself.
struct Changing {
  double r, i;
  __device__ Changing(double a, double b) : r(a), i(b) {}
  __device__ double norm() const { return r * r + i * i; }
  __device__ void step(const Changing& c) {
    const double t = r - i + c.r;
    i = r + i + c.i;
    r = t;
  }
  // Of `z *= z`, the second line reads what the first has written.
  __device__ Changing& operator*=(const Changing& o) {
    r = r - o.i;
    i = o.r + i;
    return *this;
  }
  __device__ Changing& operator+=(const Changing& o) {
    r += o.r;
    i += o.i;
    return *this;
  }
  __device__ void grow(const double& by) {
    r += by; // `z.grow(z.r)` doubles both by the new r
    i += by;
  }
  __device__ void replace(const Changing& c) { *this = Changing(r - i + c.r, r + i + c.i); }
  // Near misses: memory changes, and the result is asked for.
  __device__ void note(int* where, const Changing& c) {
    step(c);
    atomicAdd(where, 1);
  }
  __device__ bool stepped(const Changing& c) {
    step(c);
    return norm() >= 1e4;
  }
};

struct Pair {
  double x, y;
};
__device__ void step(Pair& z, const Pair& c) {
  const double t = z.x - z.y + c.x;
  z.y = z.x + z.y + c.y;
  z.x = t;
}
__device__ Pair& operator+=(Pair& a, Pair b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}

constexpr double far = 1e4;

template <int Way>
__global__ void walk(int* out, double* ends, int* notes, int width, int height, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int n = 0;
  double end = 0;
  const double cx = x * 0.25 - 2, cy = y * 0.125 - 1;
  if (Way == 0) {
    Turned z, c(cx, cy);
    const Turned by(1, 1);
    while (n < limit && z.norm() < far) {
      z = z * by + c;
      n++;
    }
    end = z.r + z.i;
  } else if (Way == 1) {
    Sums s;
    s.last = cy;
    while (n < limit && s.sum < 64) {
      s.sum += cx > 0 ? cx : 0.5;
      s.last = s.sum - s.last;
      n++;
    }
    end = s.last;
  } else if (Way == 2) {
    Hidden z;
    Hidden c(cx, cy);
    while (n < limit && z.re() * z.re() + z.im() * z.im() < far) {
      z = turned(z, c);
      n++;
    }
    end = z.re();
  }
  out[y * width + x] = n;
  ends[y * width + x] = end;
}

__global__ void change(int* out, double* ends, int* notes, int width, int height, int limit,
                       int way) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int n = 0;
  double end = 0;
  const double cx = x * 0.25 - 2, cy = y * 0.125 - 1;
  if (way == 0) {
    Changing z(0, 0), c(cx, cy);
    while (n < limit && z.norm() < far) {
      z.step(c);
      n++;
    }
    end = z.r;
  } else if (way == 1) {
    Changing z(0.5, 0.25), c(cx, cy);
    for (; n < limit; ++n) {
      z *= z;
      z += c;
      if (z.norm() > far)
        break;
    }
    end = z.i;
  } else if (way == 2) {
    Changing z(cx, cy);
    do {
      z.grow(z.r);
    } while (++n < 12 && z.norm() < far);
    end = z.i;
  } else if (way == 3) {
    Changing z(0, 0), c(cx, cy);
    while (n < limit && z.norm() < far) {
      z.replace(c);
      n++;
    }
    end = z.i;
  } else if (way == 4) {
    Changing z(0, 0), c(cx, cy);
    while (n < limit && z.norm() < far) {
      z.note(notes + (y * width + x) % 7, c);
      n++;
    }
    end = z.r;
  } else if (way == 5) {
    Changing z(0, 0), c(cx, cy);
    while (n < limit) {
      n++;
      if (z.stepped(c))
        break;
    }
    end = z.r;
  }
  out[y * width + x] = n;
  ends[y * width + x] = end;
}

__global__ void refer(int* out, double* ends, int width, int height, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  Pair z = {0, 0}, c;
  c.x = x * 0.25 - 2;
  c.y = y * 0.125 - 1;
  int n = 0;
  while (n < limit && z.x * z.x + z.y * z.y < far) {
    step(z, c);
    z += c;
    n++;
  }
  out[y * width + x] = n;
  ends[y * width + x] = z.x - z.y;
}

__global__ void call(int* out, double* ends, int width, int height, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  double end = 0;
  auto steps = [limit](double cx, double cy) {
    double r = 0, i = 0;
    int n = 0;
    while (n < limit && r * r + i * i < far) {
      const double t = r - i + cx;
      i = r + i + cy;
      r = t;
      n++;
    }
    return n;
  };
  auto last = [&](double cx) {
    double r = cx;
    int n = 0;
    for (; n < limit; n++) {
      r = r + cx * 0.5;
      if (r * r > far)
        break;
    }
    end += r;
    return (short)n;
  };
  const int n = steps(x * 0.25 - 2, y * 0.125 - 1);
  int m = 0;
  if (n & 1)
    m = last(x + y * 0.5);
  else
    m = 1000 * steps(y * 0.25, 0.5);
  out[y * width + x] = n + 4096 * m;
  ends[y * width + x] = end;
}

template <class Run> void show(const char* name, int width, int height, Run run) {
  int *out, *notes;
  double* ends;
  cudaMallocManaged(&out, width * height * sizeof(int));
  cudaMallocManaged(&ends, width * height * sizeof(double));
  cudaMallocManaged(&notes, 7 * sizeof(int));
  for (int i = 0; i < 7; ++i)
    notes[i] = 0;
  run(out, ends, notes);
  cudaDeviceSynchronize();
  unsigned sum = 0;
  double all = 0;
  for (int i = 0; i < width * height; ++i) {
    sum = sum * 31 + out[i];
    all += ends[i] * (1 + i % 5);
  }
  int noted = 0;
  for (int i = 0; i < 7; ++i)
    noted = noted * 5 + notes[i];
  printf("%s %dx%d: %u %d %g %d\n", name, width, height, sum, out[width * height / 2], all, noted);
  cudaFree(out);
  cudaFree(ends);
  cudaFree(notes);
}

int main() {
  const int sizes[][2] = {{64, 32}, {37, 19}, {5, 3}, {1, 1}};
  for (const auto& size : sizes) {
    const int w = size[0], h = size[1];
    for (const dim3 block : {dim3(16, 16), dim3(32, 4), dim3(10, 3)}) {
      const dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
      show("values", w, h, [&](int* out, double* ends, int* notes) {
        walk<0><<<grid, block>>>(out, ends, notes, w, h, 40);
      });
      show("aggregate", w, h, [&](int* out, double* ends, int* notes) {
        walk<1><<<grid, block>>>(out, ends, notes, w, h, 40);
      });
      show("hidden", w, h, [&](int* out, double* ends, int* notes) {
        walk<2><<<grid, block>>>(out, ends, notes, w, h, 40);
      });
      for (int way = 0; way < 6; ++way)
        show("change", w, h, [&](int* out, double* ends, int* notes) {
          change<<<grid, block>>>(out, ends, notes, w, h, 40, way);
        });
      show("refer", w, h, [&](int* out, double* ends, int*) {
        refer<<<grid, block>>>(out, ends, w, h, 40);
      });
      show("call", w, h, [&](int* out, double* ends, int*) {
        call<<<grid, block>>>(out, ends, w, h, 40);
      });
    }
  }
  return 0;
}
