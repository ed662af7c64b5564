// desc: block of 64 per row, shared tree
// plan: lse<<<m, 64>>>(w, len, x, y);
__global__ void lse(int w, const int *len, const float *x, float *y) { __shared__ float r[64]; int i = blockIdx.x, t = threadIdx.x, n = len[i]; float s = 0; for (int j = t; j < n; j += 64) s += expf(x[i * w + j]); r[t] = s; __syncthreads(); for (int k = 32; k; k >>= 1) { if (t < k) r[t] += r[t + k]; __syncthreads(); } if (!t) y[i] = logf(1 + r[0]); }
