// Calls device code of table.cu: separate compilation.
extern __device__ int table[4];
extern __device__ int entry(int i);

__global__ void add(int* sum) { atomicAdd(sum, entry(threadIdx.x) + table[0]); }

int sumOfEntries() {
  int* sum = nullptr;
  if (cudaMallocManaged(&sum, sizeof(int)) != cudaSuccess)
    return -1;
  *sum = 0;
  add<<<1, 8>>>(sum);
  const int result = cudaDeviceSynchronize() == cudaSuccess ? *sum : -1;
  cudaFree(sum);
  return result;
}
