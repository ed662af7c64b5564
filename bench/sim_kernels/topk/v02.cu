// desc: block of 256 per row in shared memory, eight times a tree for the largest, which is struck out
// plan: top<<<m, 256>>>(x, y);
__global__ void top(const float *x, float *y)
{
    __shared__ float row[2048], best[256];
    __shared__ int at[256];
    int t = threadIdx.x, i = blockIdx.x;
    for (int j = t; j < 2048; j += 256) row[j] = x[i * 2048 + j];
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        float b = -1; int a = 0;
        for (int j = t; j < 2048; j += 256) if (row[j] > b) { b = row[j]; a = j; }
        best[t] = b; at[t] = a;
        for (int h = 128; h > 0; h /= 2) {
            __syncthreads();
            if (t < h && best[t + h] > best[t]) { best[t] = best[t + h]; at[t] = at[t + h]; }
        }
        __syncthreads();
        if (t == 0) { y[i * 8 + k] = best[0]; row[at[0]] = -1; }
        __syncthreads();
    }
}
