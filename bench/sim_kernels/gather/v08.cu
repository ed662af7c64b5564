// desc: four passes, each over a quarter of x
// plan: for (int p = 0; p < 4; p++) ga<<<ceil_div(n,512), 512>>>(n, m/4*p, m/4*(p+1), idx, x, y);
__global__ void ga(int n, int lo, int hi, const int *__restrict__ idx, const float *__restrict__ x, float *__restrict__ y) { int i = blockIdx.x * 512 + threadIdx.x; if (i < n) { int k = idx[i]; if (k >= lo && k < hi) y[i] = 2.f * x[k]; } }
