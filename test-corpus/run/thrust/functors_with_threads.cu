// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functors that ask which thread runs them, as generators of random numbers do to get a seed of
// their own: algorithms of Thrust are kernels, too.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/generate.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

// Each thread has its own copy, which it may call more than once.
struct Numbers {
  unsigned taken = 0;
  __device__ unsigned operator()() {
    const unsigned mine = blockIdx.x * blockDim.x + threadIdx.x + taken;
    taken += blockDim.x * gridDim.x;
    return mine;
  }
};

__device__ bool placeIsLegal() {
  return threadIdx.x < blockDim.x && threadIdx.y < blockDim.y && threadIdx.z < blockDim.z &&
         blockIdx.x < gridDim.x && blockDim.x * blockDim.y * blockDim.z <= 1024;
}

struct Legal {
  __device__ int operator()(int) const { return placeIsLegal() ? 1 : 0; }
};

struct CountIllegal {
  int* illegal;
  __device__ void operator()(int) const {
    if (!placeIsLegal())
      atomicAdd(illegal, 1);
  }
};

void report(const char* what, int n) {
  thrust::device_vector<unsigned> numbers(n);
  thrust::generate(numbers.begin(), numbers.end(), Numbers());
  std::vector<unsigned> all(n);
  thrust::copy(numbers.begin(), numbers.end(), all.begin());
  std::sort(all.begin(), all.end());
  const auto distinct = std::unique(all.begin(), all.end()) - all.begin();
  std::printf("%s: %d of %d numbers are distinct\n", what, int(distinct), n);
}

int main() {
  report("one", 1);
  report("few", 1000);
  report("many", 300007);

  const int n = 100000;
  thrust::device_vector<int> legal(n);
  const thrust::counting_iterator<int> first(0);
  thrust::transform(first, first + n, legal.begin(), Legal());
  std::printf("transform: %d legal places\n", thrust::reduce(legal.begin(), legal.end()));
  std::printf("transform_reduce: %d legal places\n",
              thrust::transform_reduce(first, first + n, Legal(), 0, thrust::plus<int>()));

  thrust::device_vector<int> wrong(1);
  thrust::for_each(first, first + n, CountIllegal{thrust::raw_pointer_cast(wrong.data())});
  std::printf("for_each: %d illegal places\n", int(wrong[0]));
}
