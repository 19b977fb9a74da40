// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators that compute: counting, constant, transformed, zipped, permuted; pairs and tuples as
// elements.
#include <cstdio>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Product {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& t) const {
    return thrust::get<0>(t) * thrust::get<1>(t);
  }
};
struct Combine {
  template <class Tuple> __host__ __device__ void operator()(Tuple t) const {
    thrust::get<2>(t) = thrust::get<0>(t) + 10 * thrust::get<1>(t);
  }
};
struct Row {
  int columns;
  __host__ __device__ int operator()(int i) const { return i / columns; }
};
struct Point {
  int x, y;
};
struct ByDistance {
  __host__ __device__ bool operator()(const Point& a, const Point& b) const {
    return a.x * a.x + a.y * a.y < b.x * b.x + b.y * b.y;
  }
};

int main() {
  const int n = 6000;
  const thrust::counting_iterator<int> from(0);
  printf("squares %d\n", thrust::reduce(thrust::make_transform_iterator(from, Square()),
                                        thrust::make_transform_iterator(from + 100, Square())));
  thrust::device_vector<int> a(n), b(n), c(n);
  thrust::sequence(a.begin(), a.end());
  thrust::transform(a.begin(), a.end(), thrust::make_constant_iterator(13), b.begin(),
                    thrust::modulus<int>());
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  printf("products %d\n",
         thrust::transform_reduce(pairs, pairs + n, Product(), 0, thrust::plus<int>()));
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())),
                   Combine());
  printf("combined %d %d\n", int(c[14]), int(c[n - 1]));

  thrust::device_vector<int> order(4);
  order[0] = 5;
  order[1] = 0;
  order[2] = 100;
  order[3] = n - 1;
  const auto chosen = thrust::make_permutation_iterator(c.begin(), order.begin());
  printf("chosen %d\n", thrust::reduce(chosen, chosen + 4));

  // Sums of the rows of a matrix, with row numbers that are computed.
  thrust::device_vector<int> sums(n / 60);
  thrust::reduce_by_key(thrust::make_transform_iterator(from, Row{60}),
                        thrust::make_transform_iterator(from + n, Row{60}), c.begin(),
                        thrust::make_discard_iterator(), sums.begin());
  printf("rows %d %d %d\n", int(sums[0]), int(sums[1]), int(sums[n / 60 - 1]));

  // Zipped keys: by b, then by a from the back.
  thrust::sort(thrust::make_zip_iterator(thrust::make_tuple(b.begin(), a.begin())),
               thrust::make_zip_iterator(thrust::make_tuple(b.end(), a.end())));
  printf("sorted %d %d, %d %d\n", int(b[0]), int(a[1]), int(b[n - 1]), int(a[n - 1]));
  thrust::copy(a.rbegin(), a.rend(), c.begin());
  printf("reversed %d %d\n", int(c[0]), int(c[n - 1]));

  thrust::device_vector<Point> points(1000);
  for (int i = 0; i < 1000; i += 100)
    points[i] = Point{i % 7, i % 11};
  thrust::stable_sort(points.begin(), points.end(), ByDistance());
  const Point far = points[999], near = points[0];
  printf("far %d %d, near %d %d\n", far.x, far.y, near.x, near.y);
  const auto ends = thrust::minmax_element(c.begin(), c.end());
  printf("from %d to %d\nPASS\n", int(*ends.first), int(*ends.second));
}
