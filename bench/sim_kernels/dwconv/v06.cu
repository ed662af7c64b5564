// desc: weights in constant memory, read with a different address in every lane, 64x4 threads
// plan: copy(W, w);
// plan: conv<<<dim3(h/4,h,b), dim3(64,4)>>>(h, x, y);
__constant__ float W[576];
__global__ void conv(int h, const float *x, float *y)
{
    int k = threadIdx.x, c = blockIdx.x * 4 + threadIdx.y, r = blockIdx.y, i = blockIdx.z;
    float s = 0;
#pragma unroll
    for (int u = 0; u < 3; u++)
#pragma unroll
        for (int v = 0; v < 3; v++) {
            int p = r + u - 1, q = c + v - 1;
            if (p >= 0 && p < h && q >= 0 && q < h) s += W[(u * 3 + v) * 64 + k] * x[((i * h + p) * h + q) * 64 + k];
        }
    y[((i * h + r) * h + c) * 64 + k] = fmaxf(s, 0);
}
