// Structures that threads take, change some of and store again: all of them, under a condition, by members while other
// threads change the rest, and through pointers to a thread's own.
#include <cstdio>
#include <vector>

struct __align__(16) Particle {
  float3 at;
  float mass;
  float3 speed;
  float energy;
};
struct Cell {
  double a, b, c;
  long long count;
};
struct Mixed {
  int key;
  float value, weight;
  unsigned flags;
};

__device__ void bounce(float& x, float& v, float wall) {
  if (x > wall) {
    x = 2 * wall - x;
    v = -v;
  }
}

// The mass stays.
__global__ void push(Particle* p, int n, float dt) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Particle q = p[i];
    q.at.x += dt * q.speed.x;
    q.at.y += dt * q.speed.y;
    q.at.z += dt * q.speed.z;
    bounce(q.at.x, q.speed.x, 64);
    bounce(q.at.y, q.speed.y, 96);
    q.energy += q.mass * q.speed.x;
    p[i] = q;
  }
}

// All but the count, which each thread's neighbour changes.
__global__ void byMembers(Cell* cells, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cells[i].a += 1;
  cells[i].b += cells[i].a;
  cells[i].c -= 2;
  cells[(i + 1) % n].count += i;
}

// Stored whole, then one member by another thread behind a barrier.
__global__ void inTurns(Mixed* m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Mixed one = m[i];
    one.value = one.value * 2 + one.weight;
    one.flags |= 4;
    one.key += 1;
    m[i] = one;
  }
  __syncthreads();
  const int other = blockIdx.x * blockDim.x + (threadIdx.x ^ 1);
  if (other < n) m[other].weight += threadIdx.x;
}

// Only some threads store.
__global__ void some(Particle* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Particle q = p[i];
    if (q.mass > 3) {
      q.energy = 2 * q.energy + 1;
      q.at.x += 1;
      q.at.y += 2;
      q.at.z += 3;
      q.speed.x = 1;
      q.speed.y = 2;
      p[i] = q;
    }
  }
}

__device__ void collect(Mixed* to, int at, const Mixed& from) {
  Mixed m = to[at];
  m.key += from.key;
  m.value += from.value;
  m.flags ^= from.flags;
  to[at] = m;
}

// A thread's own structures, through a pointer.
__global__ void own(const Mixed* in, Mixed* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Mixed sums[2] = {{0, 0, 1, 0}, {1, 1, 2, 0}};
  for (int k = 0; k < 4; ++k) collect(sums, k & 1, in[(i + k) % n]);
  out[i] = sums[i & 1];
  out[i].weight += sums[1 - (i & 1)].weight;
}

// Taken from one element, stored to another; some of it stored twice.
__global__ void moved(const Particle* in, Particle* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle q = in[n - 1 - i];
  q.mass = out[i].mass;
  q.energy = 7;
  out[i] = q;
  out[i].speed.z = float(i);
}

template <class T, class Make> T* filled(int n, Make make) {
  std::vector<T> host(n);
  for (int i = 0; i < n; ++i) host[i] = make(i);
  T* device;
  cudaMalloc(&device, n * sizeof(T));
  cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T> std::vector<T> back(const T* device, int n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}
void print(const char* name, const Particle* p, int n) {
  double sums[4] = {};
  for (const Particle& q : back(p, n)) {
    sums[0] += q.at.x + 2 * q.at.y + 3 * q.at.z;
    sums[1] += q.mass;
    sums[2] += q.speed.x + 2 * q.speed.y + 3 * q.speed.z;
    sums[3] += q.energy;
  }
  printf("%s %.2f %.2f %.2f %.2f\n", name, sums[0], sums[1], sums[2], sums[3]);
}
void print(const char* name, const Mixed* m, int n) {
  double sums[4] = {};
  for (const Mixed& one : back(m, n)) {
    sums[0] += one.key;
    sums[1] += one.value;
    sums[2] += one.weight;
    sums[3] += one.flags;
  }
  printf("%s %.2f %.2f %.2f %.2f\n", name, sums[0], sums[1], sums[2], sums[3]);
}

int main() {
  for (const int n : {1000, 1024, 7}) {
    const auto particle = [](int i) {
      return Particle{{float(i % 60), float(i % 90), float(i % 30)}, float(i % 7), {float(i % 5), float(i % 3), -1}, 0.5f};
    };
    const auto mixed = [](int i) { return Mixed{i, float(i % 9), float(i % 4), unsigned(i % 8)}; };
    const int blocks = (n + 127) / 128;
    Particle *p = filled<Particle>(n, particle), *q = filled<Particle>(n, particle);
    for (int step = 0; step < 3; ++step) push<<<2, 128>>>(p, n, 2.0f);
    print("push", p, n);
    some<<<blocks, 128>>>(p, n);
    print("some", p, n);
    moved<<<blocks, 128>>>(p, q, n);
    print("moved", q, n);
    Cell* cells = filled<Cell>(n, [](int i) { return Cell{double(i), 1, 2, i}; });
    byMembers<<<blocks, 128>>>(cells, n);
    double all = 0;
    long long counts = 0;
    for (const Cell& c : back(cells, n)) {
      all += c.a + 3 * c.b + 5 * c.c;
      counts += c.count * (1 + (long long)(c.a) % 3);
    }
    printf("members %.0f %lld\n", all, counts);
    Mixed *m = filled<Mixed>(n, mixed), *out = filled<Mixed>(n, mixed);
    inTurns<<<blocks, 128>>>(m, n);
    print("in turns", m, n);
    own<<<blocks, 128>>>(m, out, n);
    print("own", out, n);
    cudaFree(p);
    cudaFree(q);
    cudaFree(cells);
    cudaFree(m);
    cudaFree(out);
  }
  return 0;
}
