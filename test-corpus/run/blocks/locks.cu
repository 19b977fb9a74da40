// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks in global memory: one thread of each block, every thread of a warp in the form that GPUs allow, ticket locks, a
// reader that waits for a flag, a linked list and a hash table under locks, a barrier of all blocks made by hand.
#include <cstdio>

struct Mutex {
  int* word;
  __device__ void lock() {
    while (atomicCAS(word, 0, 1) != 0)
      __nanosleep(20);
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(word, 0);
  }
};

__device__ int word, plain;
__global__ void oneOfEachBlock() {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    Mutex m{&word};
    m.lock();
    plain = plain + sum;
    m.unlock();
  }
}

__global__ void everyThread(int* lock, int* count, int* history) {
  bool done = false;
  while (!done) {
    if (atomicExch(lock, 1) == 0) {
      volatile int* c = count;
      history[*c] = blockIdx.x * blockDim.x + threadIdx.x;
      *c = *c + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__device__ unsigned nextTicket, serving;
__device__ volatile int inTurn;
__global__ void tickets(int* order) {
  if (threadIdx.x == 0) {
    const unsigned mine = atomicAdd(&nextTicket, 1);
    while (atomicAdd(&serving, 0) != mine)
      ;
    order[mine] = inTurn;
    inTurn = inTurn + 3;
    __threadfence();
    atomicAdd(&serving, 1);
  }
}

struct Entry {
  unsigned key;
  int count;
  Entry* next;
};
__global__ void insertAll(const unsigned* keys, int n, Entry** table, int buckets, int* locks, Entry* pool, int* used) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned key = keys[i], h = key % buckets;
  for (int turn = 0; turn < 32; ++turn) {
    if (turn == threadIdx.x % 32) {
      Mutex m{&locks[h]};
      m.lock();
      Entry* volatile* place = &table[h];
      Entry* e = *place;
      while (e && e->key != key)
        e = ((volatile Entry*)e)->next;
      if (e) {
        ((volatile Entry*)e)->count = ((volatile Entry*)e)->count + 1;
      } else {
        e = &pool[atomicAdd(used, 1)];
        e->key = key;
        e->count = 1;
        e->next = *place;
        __threadfence();
        *place = e;
      }
      m.unlock();
    }
  }
}

// All blocks are resident, so each can wait for all others.
__device__ unsigned arrived;
__device__ volatile unsigned generation;
__device__ void gridBarrier(unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned now = generation;
    __threadfence();
    if (atomicAdd(&arrived, 1) == blocks - 1) {
      arrived = 0;
      __threadfence();
      generation = now + 1;
    } else {
      while (generation == now)
        ;
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void phases(int* data, int rounds) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    const int left = ((volatile int*)data)[(i + n - 1) % n];
    gridBarrier(gridDim.x);
    data[i] += left % 1000;
    __threadfence();
    gridBarrier(gridDim.x);
  }
}

int main() {
  oneOfEachBlock<<<100, 64>>>();
  int value;
  cudaMemcpyFromSymbol(&value, plain, sizeof value);
  printf("sum %d\n", value);

  int *a, *b;
  cudaMallocManaged(&a, 4096 * sizeof *a);
  cudaMallocManaged(&b, 4096 * sizeof *b);
  cudaMemset(a, 0, 4096 * sizeof *a);
  everyThread<<<4, 64>>>(a, a + 1, b);
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += b[i];
  printf("count %d sum %lld\n", a[1], sum);

  tickets<<<40, 32>>>(b);
  cudaDeviceSynchronize();
  printf("turns %d %d %d\n", b[0], b[1], b[39]);

  const int n = 2000, buckets = 16;
  Entry *pool, **table;
  unsigned* keys;
  cudaMallocManaged(&pool, n * sizeof *pool);
  cudaMallocManaged(&table, buckets * sizeof *table);
  cudaMallocManaged(&keys, n * sizeof *keys);
  for (int i = 0; i < n; ++i)
    keys[i] = unsigned(i * i) % 173;
  cudaMemset(table, 0, buckets * sizeof *table);
  cudaMemset(a, 0, 4096 * sizeof *a);
  insertAll<<<(n + 63) / 64, 64>>>(keys, n, table, buckets, a, pool, a + 100);
  cudaDeviceSynchronize();
  int entries = 0, total = 0;
  unsigned hash = 0;
  for (int h = 0; h < buckets; ++h)
    for (Entry* e = table[h]; e; e = e->next) {
      ++entries;
      total += e->count;
      hash += e->key * 31u * e->count;
    }
  printf("entries %d total %d hash %u\n", entries, total, hash);

  for (int i = 0; i < 8 * 64; ++i)
    a[i] = i;
  phases<<<8, 64>>>(a, 10);
  cudaDeviceSynchronize();
  unsigned all = 0;
  for (int i = 0; i < 8 * 64; ++i)
    all = all * 31 + a[i];
  printf("phases %u %s\n", all, cudaGetErrorName(cudaGetLastError()));
  return 0;
}
