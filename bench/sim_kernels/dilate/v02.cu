// desc: 32x32 blocks with a 40x40 tile of bytes in shared memory, 81 shared loads
// plan: dilate<<<dim3(ceil_div(w,32), ceil_div(h,32)), dim3(32,32)>>>(w, h, in, out);
__global__ void dilate(int w, int h, const unsigned char *in, unsigned char *out)
{
    __shared__ unsigned char s[40][40];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
    for (int k = ty * 32 + tx; k < 1600; k += 1024) {
        int u = x0 + k % 40 - 4, v = y0 + k / 40 - 4;
        s[k / 40][k % 40] = u >= 0 && u < w && v >= 0 && v < h ? in[v * w + u] : 0;
    }
    __syncthreads();
    unsigned char m = 0;
#pragma unroll
    for (int j = 0; j < 9; j++)
#pragma unroll
        for (int i = 0; i < 9; i++) m = max(m, s[ty + j][tx + i]);
    if (x0 + tx < w && y0 + ty < h) out[(y0 + ty) * w + x0 + tx] = m;
}
