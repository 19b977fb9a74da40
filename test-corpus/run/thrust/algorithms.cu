// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algorithms over vectors: transform, reduce, scan, sort, search, select, set operations.
#include <cstdio>

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

struct Square {
  __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
struct Odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Axpy {
  int a;
  __host__ __device__ int operator()(int x, int y) const { return a * x + y; }
};
struct Hash {
  __host__ __device__ int operator()(int i) const { return int((i * 7919ll) % 10007); }
};

unsigned hashOf(const thrust::device_vector<int>& values, int n) {
  thrust::host_vector<int> host(values.begin(), values.begin() + n);
  unsigned hash = 0;
  for (int i = 0; i < n; ++i)
    hash = hash * 31 + unsigned(host[i]);
  return hash;
}

int main() {
  const int n = 20000;
  thrust::device_vector<int> x(n), y(n), z(n);
  thrust::tabulate(x.begin(), x.end(), Hash());
  thrust::sequence(y.begin(), y.end(), 5, 3);
  thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), Axpy{3});
  printf("axpy %u\n", hashOf(z, n));
  printf("sum %d, largest %d, squares %lld, product %lld\n", thrust::reduce(x.begin(), x.end()),
         thrust::reduce(x.begin(), x.end(), 0, thrust::maximum<int>()),
         thrust::transform_reduce(x.begin(), x.end(), Square(), 0ll, thrust::plus<long long>()),
         thrust::inner_product(x.begin(), x.end(), y.begin(), 0ll));
  printf("odd %d, equal to 17 %d, any %d, all %d\n",
         int(thrust::count_if(x.begin(), x.end(), Odd())),
         int(thrust::count(x.begin(), x.end(), 17)), int(thrust::any_of(x.begin(), x.end(), Odd())),
         int(thrust::all_of(x.begin(), x.end(), Odd())));
  printf("at %d %d %d\n", int(thrust::max_element(x.begin(), x.end()) - x.begin()),
         int(thrust::min_element(x.begin() + 1, x.end()) - x.begin()),
         int(thrust::find(x.begin(), x.end(), 9999) - x.begin()));
  thrust::inclusive_scan(x.begin(), x.end(), z.begin());
  printf("inclusive %u\n", hashOf(z, n));
  thrust::exclusive_scan(x.begin(), x.end(), z.begin(), 10, thrust::maximum<int>());
  printf("exclusive %u\n", hashOf(z, n));
  thrust::adjacent_difference(x.begin(), x.end(), z.begin());
  printf("differences %u\n", hashOf(z, n));

  // Keys with values, both directions.
  thrust::device_vector<int> keys = x, values(n);
  thrust::sequence(values.begin(), values.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
  printf("by key %u %u\n", hashOf(keys, n), hashOf(values, n));
  thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
  printf("down %u\n", hashOf(keys, n));
  thrust::sort(keys.begin(), keys.end());
  thrust::device_vector<int> wanted(3);
  wanted[0] = 0;
  wanted[1] = 5000;
  wanted[2] = 20000;
  thrust::device_vector<int> places(3);
  thrust::lower_bound(keys.begin(), keys.end(), wanted.begin(), wanted.end(), places.begin());
  printf("bounds %d %d %d\n", int(places[0]), int(places[1]), int(places[2]));

  // Totals by key.
  thrust::transform(keys.begin(), keys.end(), thrust::make_constant_iterator(7), z.begin(),
                    thrust::divides<int>());
  thrust::device_vector<int> uniqueKeys(n), totals(n);
  const auto ends =
      thrust::reduce_by_key(z.begin(), z.end(), x.begin(), uniqueKeys.begin(), totals.begin());
  const int runs = int(ends.first - uniqueKeys.begin());
  printf("runs %d %u %u\n", runs, hashOf(uniqueKeys, runs), hashOf(totals, runs));
  thrust::inclusive_scan_by_key(z.begin(), z.end(), x.begin(), totals.begin());
  printf("by key %u\n", hashOf(totals, n));

  int kept = int(thrust::copy_if(x.begin(), x.end(), z.begin(), Odd()) - z.begin());
  printf("copied %d %u\n", kept, hashOf(z, kept));
  z = x;
  kept = int(thrust::remove_if(z.begin(), z.end(), Odd()) - z.begin());
  printf("left %d %u\n", kept, hashOf(z, kept));
  z = x;
  kept = int(thrust::stable_partition(z.begin(), z.end(), Odd()) - z.begin());
  printf("partition %d %u\n", kept, hashOf(z, n));
  z = keys;
  kept = int(thrust::unique(z.begin(), z.end()) - z.begin());
  printf("unique %d %u\n", kept, hashOf(z, kept));
  thrust::replace_if(z.begin(), z.end(), Odd(), -1);
  thrust::reverse(z.begin(), z.end());
  printf("replaced %u\n", hashOf(z, n));
  thrust::gather(values.begin(), values.end(), x.begin(), z.begin());
  printf("gathered %u\n", hashOf(z, n));
  thrust::scatter(z.begin(), z.end(), values.begin(), y.begin());
  printf("scattered %s\n", y == x ? "back" : "WRONG");

  int few[] = {1, 3, 3, 5, 8}, others[] = {2, 3, 5, 9};
  thrust::device_vector<int> a(few, few + 5), b(others, others + 4), c(9);
  printf("sets");
  printf(" %d",
         int(thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), c.begin()) - c.begin()));
  printf(" %d", int(thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), c.begin()) -
                    c.begin()));
  printf(" %d", int(thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), c.begin()) -
                    c.begin()));
  thrust::merge(a.begin(), a.end(), b.begin(), b.end(), c.begin());
  printf(" merged %u\nPASS\n", hashOf(c, 9));
}
