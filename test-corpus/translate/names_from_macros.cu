// Functions whose names come from -D or are pasted together are the user's like all others.
// FLAGS: -DNAME=named -DOTHER=other
#define PASTE(a, b) a##b

// FORM: first1 loop
// FORM: named split
// CHECK: void PASTE(first, 1)(int* p) {
// CHECK: cu2cpp::eachThread(cuBlock
__global__ void PASTE(first, 1)(int* p) { p[threadIdx.x] = 1; }

// CHECK: // __syncthreads();
__global__ void NAME(int* p) {
  __syncthreads();
  p[threadIdx.x] = 1;
}

void OTHER(int* p) {
  // CHECK: cu2cpp::launch(NAME, 1, 2)(p);
  NAME<<<1, 2>>>(p);
  // CHECK: cu2cpp::launch(PASTE(first, 1), 1, 2)(p);
  PASTE(first, 1)<<<1, 2>>>(p);
}
