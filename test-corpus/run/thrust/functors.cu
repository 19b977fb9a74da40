// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ARGS: --extended-lambda
// Lambdas, placeholders, random numbers, complex numbers, memory that both sides see.
#include <cstdio>

#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/universal_vector.h>

struct Draw {
  __host__ __device__ unsigned operator()(unsigned i) const {
    thrust::default_random_engine engine(17);
    engine.discard(i);
    thrust::uniform_int_distribution<int> dice(1, 6);
    return unsigned(dice(engine)) + engine() % 2;
  }
};

struct Length {
  __host__ __device__ double operator()(const thrust::complex<double>& z) const {
    return thrust::norm(z);
  }
};

int main() {
  using namespace thrust::placeholders;
  const int n = 5000;
  thrust::device_vector<int> x(n), y(n, 2);
  const int factor = 3;
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), x.begin(),
                    [factor] __device__(int i) { return i * factor % 101; });
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), 2 * _1 + _2);
  printf("%d %d\n", int(y[50]), thrust::reduce(y.begin(), y.end()));
  int* data = thrust::raw_pointer_cast(x.data());
  thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                   [=] __device__(int i) { data[i] += 1; });
  printf("%d\n", thrust::reduce(x.begin(), x.end(), 0, thrust::maximum<int>()));

  thrust::device_vector<unsigned> draws(1000);
  thrust::transform(thrust::counting_iterator<unsigned>(0),
                    thrust::counting_iterator<unsigned>(1000), draws.begin(), Draw());
  thrust::minstd_rand engine;
  engine.discard(9999);
  printf("draws %u, ten thousandth %u\n", thrust::reduce(draws.begin(), draws.end()),
         unsigned(engine()));

  thrust::device_vector<thrust::complex<double>> z(4, thrust::complex<double>(3.0, 4.0));
  z[1] = thrust::complex<double>(0.0, 2.0) * thrust::complex<double>(0.0, 2.0);
  printf("norms %.1f, element %.1f\n",
         thrust::transform_reduce(z.begin(), z.end(), Length(), 0.0, thrust::plus<double>()),
         thrust::complex<double>(z[1]).real());

  thrust::universal_vector<int> both(100, 1);
  both[5] = 10;
  printf("both %d %d\nPASS\n", thrust::reduce(both.begin(), both.end()), both[5]);
}
