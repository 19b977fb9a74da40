// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursion on the device: of one function, of two that call each other, in a sort, over a tree built with pointers, through
// a lambda that takes itself, and deep enough to need the stack limit.
#include <cstdio>

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ bool isOdd(unsigned n);
__device__ bool isEven(unsigned n) { return n == 0 || isOdd(n - 1); }
__device__ bool isOdd(unsigned n) { return n != 0 && isEven(n - 1); }

__device__ void quicksort(int* a, int low, int high) {
  if (low >= high)
    return;
  const int pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot)
      ++i;
    while (a[j] > pivot)
      --j;
    if (i <= j) {
      const int t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}

struct Node {
  int key;
  Node *left, *right;
};
__device__ Node* insert(Node* root, Node* item) {
  if (!root)
    return item;
  if (item->key < root->key)
    root->left = insert(root->left, item);
  else
    root->right = insert(root->right, item);
  return root;
}
__device__ int depth(const Node* n) { return n ? 1 + max(depth(n->left), depth(n->right)) : 0; }
__device__ void walk(const Node* n, int*& out) {
  if (!n)
    return;
  walk(n->left, out);
  *out++ = n->key;
  walk(n->right, out);
}
__device__ void hanoi(int n, int from, int to, int by, int* moves) {
  if (n == 0)
    return;
  hanoi(n - 1, from, by, to, moves);
  *moves = (*moves * 3 + from * 2 + to) % 100003;
  hanoi(n - 1, by, to, from, moves);
}
__device__ unsigned long long deep(int n) {
  volatile int pad[16];
  pad[n % 16] = n;
  return n == 0 ? 0 : deep(n - 1) + pad[n % 16];
}

__global__ void numbers(int* out) {
  const int t = threadIdx.x;
  out[t] = fibonacci(t) * 10 + isEven(t * 7);
  if (t == 0) {
    out[20] = ackermann(2, 3);
    int moves = 0;
    hanoi(10, 0, 2, 1, &moves);
    out[21] = moves;
    auto factorial = [](auto self, int n) -> int { return n < 2 ? 1 : n * self(self, n - 1); };
    out[22] = factorial(factorial, 10);
  }
}
__global__ void sort(int* all, int n) { quicksort(all + blockIdx.x * n, 0, n - 1); }
__global__ void tree(int* out, int n) {
  Node* root = nullptr;
  Node* nodes = new Node[n];
  for (int i = 0; i < n; ++i) {
    nodes[i] = {(i * 37 + 11) % 101, nullptr, nullptr};
    root = insert(root, &nodes[i]);
  }
  int* end = out;
  walk(root, end);
  *end = depth(root);
  delete[] nodes;
}
__global__ void stack(unsigned long long* out, int n) { out[threadIdx.x] = deep(n + threadIdx.x); }

int main() {
  int* a;
  unsigned long long* sums;
  cudaMallocManaged(&a, 1000 * sizeof *a);
  cudaMallocManaged(&sums, 32 * sizeof *sums);
  cudaDeviceSetLimit(cudaLimitStackSize, 64 * 1024);
  numbers<<<1, 20>>>(a);
  cudaDeviceSynchronize();
  for (int i = 0; i < 23; ++i)
    printf("%d ", a[i]);
  printf("\n");
  for (int i = 0; i < 1000; ++i)
    a[i] = (i * 7919) % 1009;
  sort<<<4, 1>>>(a, 250);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 1; i < 1000; ++i)
    wrong += i % 250 != 0 && a[i - 1] > a[i];
  printf("%d %d %d wrong %d\n", a[0], a[249], a[999], wrong);
  tree<<<1, 1>>>(a, 60);
  cudaDeviceSynchronize();
  for (int i = 0; i < 61; i += 6)
    printf("%d ", a[i]);
  printf("\n");
  cudaDeviceSetLimit(cudaLimitStackSize, 256 * 1024);
  stack<<<1, 32>>>(sums, 1000);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%llu %llu\n", sums[0], sums[31]);
  return 0;
}
