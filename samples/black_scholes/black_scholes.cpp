// Translated from black_scholes.cu by cu2cpp.
#include <cu2cpp/launch.h>
// Prices of European options by the formula of Black and Scholes: one option a thread, all of it arithmetic with
// exponentials, logarithms and square roots.
//
//   black_scholes [options]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t error = (call);                                                                                        \
    if (error != cudaSuccess) {                                                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                              \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

struct Market {
  float rate;
  float volatility;
};
static Market market;

// The share of a normal distribution below x: a polynomial in 1 / (1 + 0.2316419 x) (Abramowitz and Stegun, 26.2.17).
static inline float below(float x) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
  const float tail = 0.39894228040143267794f * expf(-0.5f * x * x) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return x > 0 ? 1.0f - tail : tail;
}

void price(const float* stock, const float* strike, const float* years, float* call, float* put, int n) {
  const auto cuBlock = cu2cpp::thisLongRow<128>();
  const uint3 blockIdx = cuBlock.blockIdx;
  const dim3 blockDim = cuBlock.blockDim;
  cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float root = sqrtf(years[i]);
  const float d1 = (logf(stock[i] / strike[i]) + (market.rate + 0.5f * market.volatility * market.volatility) * years[i]) /
                   (market.volatility * root);
  const float d2 = d1 - market.volatility * root;
  const float discounted = strike[i] * expf(-market.rate * years[i]);
  call[i] = stock[i] * below(d1) - discounted * below(d2);
  put[i] = discounted * (1.0f - below(d2)) - stock[i] * (1.0f - below(d1));
  });
}

// The same in double precision, with the C library's error function.
static double expectedCall(double stock, double strike, double years, Market m) {
  const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double d1 = (std::log(stock / strike) + (m.rate + 0.5 * m.volatility * m.volatility) * years) /
                    (m.volatility * std::sqrt(years));
  return stock * normal(d1) - strike * std::exp(-m.rate * years) * normal(d1 - m.volatility * std::sqrt(years));
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  const Market hostMarket = {0.02f, 0.30f};
  std::vector<float> host[5];
  for (auto& values : host)
    values.resize(n);
  unsigned state = 3;
  const auto random = [&state](float from, float to) {
    state = state * 1664525u + 1013904223u;
    return from + (to - from) * (state >> 8) / float(1 << 24);
  };
  for (int i = 0; i < n; ++i) {
    host[0][i] = random(5, 30);
    host[1][i] = random(1, 100);
    host[2][i] = random(0.25f, 10);
  }

  float* device[5];
  const size_t bytes = n * sizeof(float);
  for (int k = 0; k < 5; ++k) {
    CHECK(cudaMalloc(&device[k], bytes));
    if (k < 3)
      CHECK(cudaMemcpy(device[k], host[k].data(), bytes, cudaMemcpyHostToDevice));
  }
  CHECK(cudaMemcpyToSymbol(market, &hostMarket, sizeof(Market)));

  const auto start = std::chrono::steady_clock::now();
  cu2cpp::launch(price, (n + 127) / 128, 128)(device[0], device[1], device[2], device[3], device[4], n);
  CHECK(cudaDeviceSynchronize());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (int k = 3; k < 5; ++k)
    CHECK(cudaMemcpy(host[k].data(), device[k], bytes, cudaMemcpyDeviceToHost));
  for (float* p : device)
    CHECK(cudaFree(p));

  double worst = 0, parity = 0;
  for (int i = 0; i < n; ++i) {
    const double expected = expectedCall(host[0][i], host[1][i], host[2][i], hostMarket);
    worst = std::fmax(worst, std::fabs(host[3][i] - expected));
    // A call and a put together are the stock less the discounted strike.
    parity = std::fmax(parity, std::fabs(host[3][i] - host[4][i] - host[0][i] +
                                         host[1][i] * std::exp(-double(hostMarket.rate) * host[2][i])));
  }
  const bool right = worst < 1e-4 && parity < 1e-4;
  std::printf("%d options: %.2f ms, %.0f million a second; largest error %.1e\n%s\n", n, seconds * 1e3,
              n / seconds / 1e6, worst, right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
