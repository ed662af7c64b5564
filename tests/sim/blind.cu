// Launches one after another, where the later one does or does not depend on what the earlier one made.
__global__ void reverse(int *index, float *out, const float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) index[i] = n - 1 - i; }
__global__ void gather(int *index, float *out, const float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = x[index[i]]; }
__global__ void staged(int *index, float *out, const float *x, int n) // through shared memory
{
    __shared__ int s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? index[i] : 0;
    __syncthreads();
    if (i < n) out[i] = x[s[255 - threadIdx.x]];
}
__global__ void branch(int *index, float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = index[i] & 15; k > 0; k--) v = v * v + 1;
    out[i] = v;
}
__global__ void scale(int *index, float *out, const float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 2 * (float)index[i]; }
__global__ void hop(int *index, float *out, const float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) index[i] = index[index[i]]; }
