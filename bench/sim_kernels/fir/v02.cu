// desc: taps in constant memory, signal from global memory, 128
// plan: copy(taps, h);
// plan: fir<<<ceil_div(n,128), 128>>>(n, x, y);
__constant__ float taps[128];
__global__ void fir(int n, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float s = 0;
#pragma unroll 16
    for (int k = 0; k < 128; k++) s = fmaf(taps[k], x[i + k], s);
    y[i] = s;
}
