// desc: warp per bag, float2 a lane, indices by shuffles, 256 threads
// plan: bag<<<ceil_div(b,8), 256>>>(b, idx, w, y);
__global__ void bag(int b, const int *__restrict__ idx, const float2 *__restrict__ w, float2 *__restrict__ y)
{
    int i = blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (i >= b) return;
    int mine = l < 16 ? idx[i * 16 + l] : 0;
    float2 s = make_float2(0, 0);
#pragma unroll
    for (int k = 0; k < 16; k++) { float2 v = w[__shfl_sync(~0u, mine, k) * 32 + l]; s.x += v.x; s.y += v.y; }
    y[i * 32 + l] = s;
}
