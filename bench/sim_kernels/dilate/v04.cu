// desc: separable inside a block: 64x16 pixels, halo tile in shared memory, row maxima there, then columns
// plan: dilate<<<dim3(ceil_div(w,64), ceil_div(h,16)), dim3(64,4)>>>(w, h, in, out);
__global__ void dilate(int w, int h, const unsigned char *__restrict__ in, unsigned char *__restrict__ out)
{
    __shared__ int s[24][72], r[24][64];
    int x0 = blockIdx.x * 64, y0 = blockIdx.y * 16, tx = threadIdx.x, ty = threadIdx.y;
    for (int j = ty; j < 24; j += 4)
        for (int i = tx; i < 72; i += 64) {
            int u = x0 + i - 4, v = y0 + j - 4;
            s[j][i] = u >= 0 && u < w && v >= 0 && v < h ? in[v * w + u] : 0;
        }
    __syncthreads();
    for (int j = ty; j < 24; j += 4) {
        int m = s[j][tx];
#pragma unroll
        for (int i = 1; i < 9; i++) m = max(m, s[j][tx + i]);
        r[j][tx] = m;
    }
    __syncthreads();
    for (int j = ty; j < 16; j += 4) {
        int m = r[j][tx];
#pragma unroll
        for (int i = 1; i < 9; i++) m = max(m, r[j + i][tx]);
        if (y0 + j < h && x0 + tx < w) out[(y0 + j) * w + x0 + tx] = m;
    }
}
