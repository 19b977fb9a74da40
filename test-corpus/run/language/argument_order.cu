// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of calls in host functions are evaluated from right to left, as by nvcc's host compiler; braces go from left to right.
// FORMS: auto,fibers,fibers-all of translations for readers the compiler chooses
#include <cstdio>
#include <random>
#include <string>
#include <vector>

static unsigned state = 1;
static unsigned next() { return state = state * 1664525u + 1013904223u; }
#define RANDOM() (float(next() >> 8) / 16777216.0f)
struct Generator {
  unsigned at;
  int operator()() { return int(at += 7); }
  int take(int a, int b) const { return a * 1000 + b + int(at); }
};
struct Point {
  float x, y;
  Point(float a, float b) : x(a), y(b) {}
};
static int digits(int a, int b, int c, int d = 9) { return a * 1000 + b * 100 + c * 10 + d; }
static const char* name(cudaError_t error) { return cudaGetErrorName(error); }

__global__ void scale(float3* points, int n) {
  const int i = threadIdx.x;
  if (i < n)
    points[i] = make_float3(points[i].x * 2, points[i].y * 3, points[i].z * 4);
}

int main() {
  const int n = 5;
  float3* points;
  cudaMallocManaged(&points, n * sizeof *points);
  for (int i = 0; i < n; ++i)
    points[i] = make_float3(RANDOM(), RANDOM(), RANDOM());
  scale<<<1, 32>>>(points, n);
  printf("%s\n", name(cudaDeviceSynchronize()));
  for (int i = 0; i < n; ++i)
    printf("%.7f %.7f %.7f\n", points[i].x, points[i].y, points[i].z);

  Generator generator{0};
  printf("%d %d %d\n", generator(), generator(), generator());
  printf("%d\n", generator.take(generator(), generator()));
  auto draw = [&] { return generator() % 10; };
  printf("%d %d\n", digits(draw(), draw(), draw()), digits(draw(), 5, draw(), 3));
  std::mt19937 engine(7);
  printf("%u %u\n", unsigned(engine()), unsigned(engine()));

  std::vector<Point> list;
  list.push_back(Point(RANDOM(), RANDOM()));
  list.push_back({RANDOM(), RANDOM()});
  list.push_back(Point{RANDOM(), RANDOM()});
  for (const Point& p : list)
    printf("%.7f %.7f\n", p.x, p.y);

  int counts[] = {1, 2, 3};
  auto bump = [&](int i) { return counts[i] *= 10; };
  printf("%d %d %d\n", bump(0), counts[0], counts[1]);
  printf("%d %d %d\n", counts[1], bump(1), counts[1]);
  std::string text = "abc";
  auto shorten = [&] { text.pop_back(); return int(text.size()); };
  printf("%d %d\n", shorten(), shorten());
}
