// Translated from mandelbrot.cu by cu2cpp.
#include <cu2cpp/launch.h>
// Draws the Mandelbrot set as text and as an image file, checked against the same computation on the host.
//
//   mandelbrot [image.pgm]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error_ = (call);                                                                   \
    if (error_ != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));         \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

constexpr int WIDTH = 1536;
constexpr int HEIGHT = 1024;
constexpr int LIMIT = 256;

struct Complex {
  float re, im;

  Complex(float re, float im) : re(re), im(im) {}
  CU2CPP_BY_PARTS Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
  CU2CPP_BY_PARTS Complex operator*(Complex o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  float square() const { return re * re + im * im; }
};

// The number of steps until z = z * z + c leaves the circle of radius 2, at most LIMIT.
int steps(Complex c) { float c_re = c.re; float c_im = c.im;
  float z_re = 0.0f; float z_im = 0.0f;
  int count = 0;
  while (count < LIMIT && Complex(z_re, z_im).square() < 4.0f) {
    { const Complex cuNew_z = Complex(z_re, z_im) * Complex(z_re, z_im) + Complex(c_re, c_im); z_re = cuNew_z.re; z_im = cuNew_z.im; }
    ++count;
  }
  return count;
}
// steps() for all threads of a group at once.
template <class CuGroup>
CU2CPP_INLINE static inline cu2cpp::PerLane<int> steps(const CuGroup& cuWarp, const cu2cpp::Lanes cuLanes, const cu2cpp::PerLane<Complex>& cuEach_c) {
cu2cpp::PerLane<int> cuResult; cu2cpp::PerLane<float> cuEach_c_re;
cu2cpp::PerLane<float> cuEach_c_im;
cu2cpp::PerLane<float> cuEach_z_re;
cu2cpp::PerLane<float> cuEach_z_im;
cu2cpp::PerLane<int> cuEach_count;
cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) {
auto& c = cuEach_c[cuThisThread];
auto& c_re = cuEach_c_re[cuThisThread];
auto& c_im = cuEach_c_im[cuThisThread];
auto& z_re = cuEach_z_re[cuThisThread];
auto& z_im = cuEach_z_im[cuThisThread];
auto& count = cuEach_count[cuThisThread];
c_re = c.re; c_im = c.im;
  z_re = 0.0f; z_im = 0.0f;
  count = 0;
});
  for (cu2cpp::Lanes cuLanes1 = cuLanes; (cuLanes1 = cu2cpp::lanesWhere(cuWarp, cuLanes1, [&](const cu2cpp::Lane cuThisThread) { auto& z_re = cuEach_z_re[cuThisThread]; auto& z_im = cuEach_z_im[cuThisThread]; auto& count = cuEach_count[cuThisThread]; return count < LIMIT && Complex(z_re, z_im).square() < 4.0f; })).any(); ) {
    cu2cpp::eachLane(cuWarp, cuLanes1, [&](const uint3, float& c_re, float& c_im, float& z_re, float& z_im, int& count) {
    { const Complex cuNew_z = Complex(z_re, z_im) * Complex(z_re, z_im) + Complex(c_re, c_im); z_re = cuNew_z.re; z_im = cuNew_z.im; }
    ++count;
    }, cuEach_c_re, cuEach_c_im, cuEach_z_re, cuEach_z_im, cuEach_count);
  }
  cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) {
  auto& count = cuEach_count[cuThisThread];
  cuResult[cuThisThread] = count;
  });
  return cuResult;
}

CU2CPP_BY_PARTS Complex pointOf(int x, int y) {
  return {3.0f * x / WIDTH - 2.0f, 2.0f * y / HEIGHT - 1.0f};
}

// One thread for one pixel; neighbours leave the loop at different times.
void mandelbrot(unsigned char* image) {
  const auto& cuBlock = cu2cpp::thisBlock<32, 4>();
  const uint3 blockIdx = cuBlock.blockIdx;
  const dim3 blockDim = cuBlock.blockDim;
  cu2cpp::eachWarp(cuBlock, [&](const auto& cuWarp, const cu2cpp::Lanes cuLanes) CU2CPP_INLINE {
  // const int x = blockIdx.x * blockDim.x + threadIdx.x; (in each region)
  const int y = cu2cpp::sameInWarp(cuWarp, cuLanes, [&](const uint3 threadIdx) { return blockIdx.y * blockDim.y + threadIdx.y; });
  const cu2cpp::Lanes cuLanes1 = cu2cpp::lanesWhere(cuWarp, cuLanes, [&](const uint3 threadIdx) { const int x = blockIdx.x * blockDim.x + threadIdx.x; return x < WIDTH && y < HEIGHT; });
  if (cuLanes1.any())
    { const auto cuCall1 = steps(cuWarp, cuLanes1, cu2cpp::perLane<Complex>(cuWarp, cuLanes1, [&](const uint3 threadIdx) { const int x = blockIdx.x * blockDim.x + threadIdx.x; return pointOf(x, y); }));
    cu2cpp::eachLane(cuWarp, cuLanes1, [&](const cu2cpp::Lane cuThisThread) {
    const uint3 threadIdx = cuThisThread.threadIdx;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
        image[y * WIDTH + x] = static_cast<unsigned char>(cuCall1[cuThisThread] * 255 / LIMIT);
    }); }
  });
}

int main(int argc, char** argv) {
  unsigned char* image;
  CHECK(cudaMallocManaged(&image, WIDTH * HEIGHT));

  const dim3 threads(32, 4);
  const dim3 blocks((WIDTH + threads.x - 1) / threads.x, (HEIGHT + threads.y - 1) / threads.y);
  const auto start = std::chrono::steady_clock::now();
  cu2cpp::launch(mandelbrot, blocks, threads)(image);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

  for (int y = HEIGHT / 32; y < HEIGHT; y += HEIGHT / 16) {
    for (int x = 0; x < WIDTH; x += WIDTH / 64)
      std::putchar(" .:-=+*#%@"[image[y * WIDTH + x] * 9 / 255]);
    std::putchar('\n');
  }

  // Rounding may differ by the last bit where one compiler fuses a multiplication and an addition and another does not.
  // A pixel on the border then counts differently, so a few may.
  int different = 0;
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x)
      different += image[y * WIDTH + x] != steps(pointOf(x, y)) * 255 / LIMIT;
  if (different > WIDTH * HEIGHT / 200) {
    std::printf("FAIL: %d of %d pixels differ from the host's\n", different, WIDTH * HEIGHT);
    return 1;
  }
  std::printf("PASS: %d x %d pixels, %d on the border differ from the host's\n", WIDTH, HEIGHT,
              different);
  std::printf("time: %.3f ms\n", time.count());

  if (argc > 1) {
    std::FILE* file = std::fopen(argv[1], "wb");
    if (!file) {
      std::perror(argv[1]);
      return 1;
    }
    std::fprintf(file, "P5 %d %d 255\n", WIDTH, HEIGHT);
    std::fwrite(image, 1, WIDTH * HEIGHT, file);
    std::fclose(file);
  }
  CHECK(cudaFree(image));
  return 0;
}
