// desc: block of 256 per row, one element a thread
// plan: lse<<<m, 256>>>(w, len, x, y);
__global__ void lse(int w, const int *len, const float *x, float *y) { __shared__ float r[256]; int i = blockIdx.x, t = threadIdx.x; r[t] = t < len[i] ? expf(x[i * w + t]) : 0; __syncthreads(); for (int k = 128; k; k >>= 1) { if (t < k) r[t] += r[t + k]; __syncthreads(); } if (!t) y[i] = logf(1 + r[0]); }
