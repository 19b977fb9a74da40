// Values that all threads read before a branch that few of them take: the others need not read them, unless
// reading does something.
#include <cuda_runtime.h>
#include <cstdio>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) { printf("%s in line %d\n", cudaGetErrorString(error), __LINE__); return 1; }        \
    } while (0)

constexpr int rows = 9, columns = 24, pitch = columns + 1, numbers = 40;

__device__ int noted(int* notes, int place)
{
    notes[place] += 3;
    return notes[place];
}

// Rows that one row of threads exchanges, as a factorisation with pivots does.
__global__ void exchangeRows(const int* __restrict__ in, int* __restrict__ out, int n)
{
    __shared__ int a[rows * pitch];
    __shared__ int pivot;
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * blockDim.x + tx;
    for (int e = tid; e < rows * columns; e += blockDim.x * blockDim.y) a[e / columns * pitch + e % columns] = in[e];
    __syncthreads();
    for (int k = 0; k < rows; ++k) {
        if (tid == 0) pivot = (k * 5 + blockIdx.x) % rows;
        __syncthreads();
        const int p = pivot;
        if (p != k && ty == 0 && tx < n) {
            const int t = a[k * pitch + tx];
            a[k * pitch + tx] = a[p * pitch + tx];
            a[p * pitch + tx] = t + 1;
        }
        __syncthreads();
        const int head = a[p * pitch + columns - 1], end = n - k - 1;
        if (ty == k && tx < end) a[k * pitch + tx] += head % 7;
        __syncthreads();
        const int last = a[k * pitch + n - 1];
        if (tid == k) a[p * pitch + n - 2] = last + 2 * k;
        __syncthreads();
        const int third = a[p * pitch + 2];
        if (tx == 3 && ty == 1) a[k * pitch + 3] ^= third;
        __syncthreads();
    }
    for (int e = tid; e < rows * columns; e += blockDim.x * blockDim.y)
        out[blockIdx.x * rows * columns + e] = a[e / columns * pitch + e % columns];
}

// One row of threads, of which some have gone.
__global__ void oneRow(int* __restrict__ out, int n)
{
    __shared__ int s[numbers * 2];
    __shared__ int count;
    const int t = threadIdx.x;
    if (t >= n) return;
    s[t] = t * t + blockIdx.x;
    if (t == 0) count = n;
    __syncthreads();
    for (int d = 1; d < 8; d *= 2) {
        const int next = t + d < count ? s[t + d] : 1;
        if (t % (2 * d) == 0) s[t] += next;
        __syncthreads();
    }
    const int first = s[0];
    if (t == n / 2) s[t] -= first;
    __syncthreads();
    const int middle = s[n / 2], limit = count;
    if (t < 3 && t < limit) s[t] += middle;
    __syncthreads();
    out[blockIdx.x * numbers + t] = s[t];
}

// What all threads do before the branch: none may be left out.
__global__ void allOfThem(int* __restrict__ out, int* __restrict__ notes, int n)
{
    __shared__ int s[numbers];
    __shared__ int tickets, others;
    const int t = threadIdx.x;
    s[t] = t;
    if (t == 0) tickets = others = 0;
    __syncthreads();
    const int mine = atomicAdd(&tickets, 2) % 2;
    if (t == 1) s[1] += 100 + mine;
    __syncthreads();
    const int got = noted(notes, blockIdx.x * numbers + t);
    if (t == 2) s[2] += got;
    __syncthreads();
    int step = s[t] * 2;
    if (t < 4) s[t] += step;
    __syncthreads();
    step += s[0];
    const int kept = s[20 + t % 8];
    if (t == 5) s[5] += kept;
    __syncthreads();
    s[t] += kept;
    if (t == 6) s[6] += step;
    __syncthreads();
    int& place = s[t];
    const int old = place++;
    if (t == 7) place += old;
    __syncthreads();
    const int before = others;
    if (t < 2) atomicAdd(&others, 1 + before * 0);
    else atomicAdd(&others, 10);
    __syncthreads();
    out[blockIdx.x * numbers + t] = s[t] + step + tickets + others;
}

// Lanes of a warp.
__global__ void lanes(int* __restrict__ out, int n)
{
    __shared__ int s[4][32];
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    s[w][lane] = lane * (w + 1);
    __syncwarp();
    for (int k = 0; k < n; ++k) {
        const int sum = __reduce_add_sync(0xffffffffu, s[w][lane] % 8);
        const int half = sum / 2 + k;
        if (lane == k) s[w][k] += half;
        __syncwarp();
        const int head = s[w][k];
        if (lane > k && lane < n) s[w][lane] += head % 5;
        __syncwarp();
        const int before = s[w][20 + lane % 4];
        if (lane < 2) s[w][lane] += before;
        __syncwarp();
        const int all = __shfl_sync(0xffffffffu, before, k);
        if (lane == 0) s[w][31] ^= all;
        __syncwarp();
    }
    out[blockIdx.x * 128 + threadIdx.x] = s[w][lane];
}

static int print(const char* name, const int* on, int count, int width)
{
    static int host[8 * rows * columns];
    CHECK(cudaMemcpy(host, on, count * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%s\n", name);
    for (int i = 0; i < count; ++i) printf("%d%c", host[i], i % width == width - 1 || i == count - 1 ? '\n' : ' ');
    return 0;
}

int main()
{
    static int host[rows * columns];
    for (int i = 0; i < rows * columns; ++i) host[i] = (i * 37 + 11) % 101;
    int *in, *out, *notes;
    CHECK(cudaMalloc(&in, sizeof host));
    CHECK(cudaMalloc(&out, 8 * sizeof host));
    CHECK(cudaMalloc(&notes, 3 * numbers * sizeof(int)));
    CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    const dim3 blocks[] = {dim3(32, 4), dim3(32, 9), dim3(24, 5)};
    for (const dim3 block : blocks)
        for (const int n : {24, 17, 12}) {
            exchangeRows<<<3, block>>>(in, out, n);
            CHECK(cudaDeviceSynchronize());
            if (print("rows", out, 3 * rows * columns, columns)) return 1;
        }
    for (const int n : {40, 33, 9}) {
        CHECK(cudaMemset(out, 0, 3 * numbers * sizeof(int)));
        oneRow<<<3, numbers>>>(out, n);
        CHECK(cudaDeviceSynchronize());
        if (print("one row", out, 3 * numbers, numbers)) return 1;
    }
    CHECK(cudaMemset(notes, 0, 3 * numbers * sizeof(int)));
    allOfThem<<<3, numbers>>>(out, notes, numbers);
    CHECK(cudaDeviceSynchronize());
    if (print("all", out, 3 * numbers, numbers) || print("notes", notes, 3 * numbers, numbers)) return 1;
    for (const int n : {32, 20, 3}) {
        lanes<<<2, 128>>>(out, n);
        CHECK(cudaDeviceSynchronize());
        if (print("lanes", out, 256, 32)) return 1;
    }
}
