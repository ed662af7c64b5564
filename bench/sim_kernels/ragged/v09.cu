// desc: an atomic for every element into sums, then logarithms
// plan: fill(y, 1.0);
// plan: add<<<dim3(m,1), 256>>>(w, len, x, y);
// plan: fin<<<ceil_div(m,256), 256>>>(m, y);
__global__ void add(int w, const int *len, const float *x, float *y) { int i = blockIdx.x; if (threadIdx.x < len[i]) atomicAdd(&y[i], expf(x[i * w + threadIdx.x])); }
__global__ void fin(int m, float *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < m) y[i] = logf(y[i]); }
