// Structures of narrow integers are read and stored as the words that they fill: copies and reads of members, but neither
// copies from place to place nor a thread's own variables, nor structures of other parts or in templates.
struct Pixel {
  unsigned char r, g, b, a;
};
struct Mixed {
  unsigned char r;
  short s;
};
struct Rgb {
  unsigned char r, g, b;
};

__device__ int weightOf(uchar4 p) { return p.x + p.y; }
// CHECK: int weightOf(uchar4 p) { return p.x + p.y; }

__global__ void words(const uchar4* in, uchar4* out, Pixel* pixels, short2* pairs, Mixed* mixed, Rgb* rgb, float2* floats, int n) {
  __shared__ uchar4 tile[2][64];
  const int i = threadIdx.x;
  uchar4 p = in[i];
  // CHECK: uchar4 p = cu2cpp::asWord(in[i]);
  out[i] = make_uchar4(p.y, p.x, p.w, p.z);
  // CHECK: cu2cpp::wordTo(out[i]) = make_uchar4(p.y, p.x, p.w, p.z);
  p = *(in + n);
  // CHECK: p = cu2cpp::asWord(*(in + n));
  tile[0][i] = in[i + 1];
  // CHECK: tile[0][i] = in[i + 1];
  out[n] = tile[1][i] = p;
  // CHECK: cu2cpp::wordTo(out[n]) = cu2cpp::wordTo(tile[1][i]) = p;
  n += weightOf(tile[0][i]) + pixels[i].g;
  // CHECK: n += weightOf(cu2cpp::asWord(tile[0][i])) + cu2cpp::asWord(pixels[i]).g;
  pixels[i].a = 1;
  // CHECK: pixels[i].a = 1;
  pixels[i].b += 1;
  // CHECK: pixels[i].b += 1;
  short2 own[2];
  own[0] = own[1] = pairs[i];
  // CHECK: own[0] = own[1] = cu2cpp::asWord(pairs[i]);
  pairs[i] = own[n & 1];
  // CHECK: cu2cpp::wordTo(pairs[i]) = own[n & 1];
  const unsigned char* bytes = &pixels[i].r;
  // CHECK: = &pixels[i].r;
  mixed[i].s = mixed[i + 1].s + rgb[i].r + *bytes;
  // CHECK: mixed[i].s = mixed[i + 1].s + rgb[i].r + *bytes;
  floats[i].x = floats[i + 1].y;
  // CHECK: floats[i].x = floats[i + 1].y;
}

template <class T> __global__ void ofAnyType(const T* in, T* out, uchar2* pairs) {
  out[0] = T(in[1]);
  // CHECK: out[0] = T(in[1]);
  T copy = in[2];
  // CHECK: T copy = in[2];
  out[1] = copy;
  uchar2 pair = pairs[0];
  // CHECK: uchar2 pair = cu2cpp::asWord(pairs[0]);
  pairs[1] = pair;
}
template __global__ void ofAnyType(const uchar4*, uchar4*, uchar2*);
template __global__ void ofAnyType(const float*, float*, uchar2*);
