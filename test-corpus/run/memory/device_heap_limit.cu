// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap of device code has a limit: malloc() returns null beyond it, and memory that is freed can be had again, by other
// threads and in later kernels. calloc'ed by hand, linked lists, sizes of zero and free(nullptr).
#include <cstdio>
#include <cstdlib>

__device__ void* kept[64];

__global__ void tooMuch(int* result) {
  void* p = malloc(64 << 20);
  result[0] = p == nullptr;
  void* q = malloc(1 << 20);
  result[1] = q != nullptr;
  free(q);
  free(nullptr);
}
__global__ void fill(int* got, int* refused) {
  void* p = malloc(1 << 20);
  kept[threadIdx.x] = p;
  atomicAdd(p ? got : refused, 1);
}
__global__ void giveBack() { free(kept[threadIdx.x]); }

struct Link {
  int value;
  Link* next;
};
__global__ void lists(int* sums, int n) {
  Link* head = nullptr;
  for (int i = 0; i < n; ++i) {
    Link* link = static_cast<Link*>(malloc(sizeof(Link)));
    if (!link)
      break;
    link->value = i * threadIdx.x;
    link->next = head;
    head = link;
  }
  int sum = 0;
  while (head) {
    sum += head->value;
    Link* next = head->next;
    free(head);
    head = next;
  }
  sums[threadIdx.x] = sum;
}
// Again and again, more in all than the heap holds.
__global__ void often(int* fails) {
  for (int i = 0; i < 200; ++i) {
    char* p = static_cast<char*>(::malloc(256 << 10));
    if (!p) {
      atomicAdd(fails, 1);
      continue;
    }
    p[0] = p[1000] = char(i);
    ::free(p);
  }
}
__host__ __device__ int bothSides(int n) {
  int* p = (int*)malloc(n * sizeof(int));
  for (int i = 0; i < n; ++i)
    p[i] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += p[i];
  free(p);
  return sum;
}
__global__ void callBothSides(int* out) { *out = bothSides(100); }

int main() {
  int* c;
  cudaMallocManaged(&c, 64 * sizeof *c);
  cudaMemset(c, 0, 64 * sizeof *c);
  printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20)));
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  printf("limit %d\n", limit >= 32 << 20);
  tooMuch<<<1, 1>>>(c);
  cudaDeviceSynchronize();
  printf("%d %d\n", c[0], c[1]);
  for (int round = 0; round < 3; ++round) {
    c[0] = c[1] = 0;
    fill<<<1, 64>>>(c, c + 1);
    giveBack<<<1, 64>>>();
    cudaDeviceSynchronize();
    printf("%d %d %d\n", c[0] > 15 && c[0] <= 32, c[1] >= 32, c[0] + c[1]);
  }
  lists<<<1, 32>>>(c, 100);
  cudaDeviceSynchronize();
  printf("%d %d\n", c[1], c[31]);
  c[0] = 0;
  often<<<2, 16>>>(c);
  callBothSides<<<1, 1>>>(c + 1);
  cudaDeviceSynchronize();
  printf("%d %d %d %s\n", c[0], c[1], bothSides(50), cudaGetErrorName(cudaGetLastError()));
  return 0;
}
