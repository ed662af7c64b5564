// desc: persistent: 264 blocks of 128, a warp takes bags in turn, one row at a time
// plan: bag<<<264, 128>>>(b, idx, w, y);
__global__ void bag(int b, const int *idx, const float2 *w, float2 *y)
{
    int l = threadIdx.x & 31;
    for (int i = blockIdx.x * 4 + threadIdx.x / 32; i < b; i += 264 * 4) {
        float2 s = make_float2(0, 0);
#pragma unroll 1
        for (int k = 0; k < 16; k++) { float2 v = w[idx[i * 16 + k] * 32 + l]; s.x += v.x; s.y += v.y; }
        y[i * 32 + l] = s;
    }
}
