// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes on the device: abstract bases, several bases, virtual functions called from constructors, objects placed into
// shared memory, virtual calls between barriers, virtual functions that hold a barrier, virtual destructors.
#include <cstdio>
#include <new>

struct Animal {
  int legs;
  __device__ explicit Animal(int n) : legs(n) {}
  __device__ virtual int sound(int x) const = 0;
  __device__ virtual int weight() const { return legs; }
  __device__ virtual ~Animal() {}
};
struct Named {
  int name = 3;
  __device__ virtual int initial() const { return name; }
};
struct Dog : Animal, Named {
  __device__ Dog() : Animal(4) { name = 40; }
  __device__ int sound(int x) const override { return x * 2 + initial(); }
};
struct Puppy final : Dog {
  int* ended;
  __device__ explicit Puppy(int* e) : ended(e) {}
  __device__ int sound(int x) const override { return Dog::sound(x) + 1000; }
  __device__ int initial() const override { return name + 1; }
  __device__ int weight() const override { return Animal::weight() - 1; }
  __device__ ~Puppy() override { atomicAdd(ended, legs); }
};
struct Bird : Animal {
  __device__ Bird() : Animal(2) {}
  __device__ int sound(int x) const override { return -x; }
};

__global__ void build(Animal** zoo, int* ended) {
  const int t = threadIdx.x;
  zoo[t] = t % 3 == 0 ? static_cast<Animal*>(new Dog) : t % 3 == 1 ? new Puppy(ended) : static_cast<Animal*>(new Bird);
}
__global__ void listen(Animal* const* zoo, int* out) {
  __shared__ int heard[32];
  const int t = threadIdx.x;
  heard[t] = zoo[t]->sound(t);
  __syncthreads();
  out[t] = heard[(t + 1) % blockDim.x] + zoo[t]->weight() * 10000;
}
__global__ void end(Animal** zoo) { delete zoo[threadIdx.x]; }

// One object for the block; each of its functions is called by all threads.
struct Step {
  __device__ virtual int next(int* data) = 0;
};
struct Rotate : Step {
  int by;
  __device__ explicit Rotate(int n) : by(n) {}
  __device__ int next(int* data) override {
    const int v = data[(threadIdx.x + by) % blockDim.x];
    __syncthreads();
    data[threadIdx.x] = v;
    __syncthreads();
    return v;
  }
};
struct AddIndex : Step {
  __device__ int next(int* data) override {
    const int v = data[threadIdx.x] += threadIdx.x;
    __syncthreads();
    return v;
  }
};
__global__ void steps(int* out) {
  __shared__ int data[16];
  alignas(8) __shared__ char room[3 * sizeof(Rotate)];
  __shared__ Step* plan[3];
  if (threadIdx.x == 0) {
    plan[0] = new (room) Rotate(3);
    plan[1] = new (room + sizeof(Rotate)) AddIndex;
    plan[2] = new (room + 2 * sizeof(Rotate)) Rotate(5);
  }
  data[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += plan[k]->next(data);
  out[threadIdx.x] = sum;
}

int main() {
  Animal** zoo;
  int *out, *ended;
  cudaMalloc(&zoo, 12 * sizeof *zoo);
  cudaMallocManaged(&out, 16 * sizeof *out);
  cudaMallocManaged(&ended, sizeof *ended);
  *ended = 0;
  build<<<1, 12>>>(zoo, ended);
  listen<<<1, 12>>>(zoo, out);
  end<<<1, 12>>>(zoo);
  cudaDeviceSynchronize();
  for (int i = 0; i < 12; ++i)
    printf("%d ", out[i]);
  printf("ended %d\n", *ended);
  steps<<<1, 16>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i)
    printf("%d ", out[i]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
