// desc: four outputs a thread a block apart, shared signal, constant taps, all unrolled by 8, 256
// plan: copy(taps, h);
// plan: fir<<<n/1024, 256>>>(x, y);
__constant__ float taps[128];
__global__ void __launch_bounds__(256) fir(const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float s[1024 + 128];
    int l = threadIdx.x, i0 = blockIdx.x * 1024;
    for (int k = l; k < 1152; k += 256) s[k] = x[i0 + k];
    __syncthreads();
    float a = 0, b = 0, c = 0, d = 0;
#pragma unroll 8
    for (int k = 0; k < 128; k++) {
        float t = taps[k];
        a += t * s[l + k]; b += t * s[l + 256 + k]; c += t * s[l + 512 + k]; d += t * s[l + 768 + k];
    }
    y[i0 + l] = a; y[i0 + l + 256] = b; y[i0 + l + 512] = c; y[i0 + l + 768] = d;
}
