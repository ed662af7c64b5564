// desc: 16 lanes per bag, float4, 128 threads
// plan: bag<<<ceil_div(b,8), 128>>>(b, idx, w, y);
__global__ void bag(int b, const int4 *__restrict__ idx, const float4 *__restrict__ w, float4 *__restrict__ y)
{
    int i = blockIdx.x * 8 + threadIdx.x / 16, l = threadIdx.x & 15;
    if (i >= b) return;
    float4 s = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int4 q = idx[i * 4 + k];
        float4 e = w[q.x * 16 + l], f = w[q.y * 16 + l], g = w[q.z * 16 + l], h = w[q.w * 16 + l];
        s.x += e.x + f.x + g.x + h.x; s.y += e.y + f.y + g.y + h.y; s.z += e.z + f.z + g.z + h.z; s.w += e.w + f.w + g.w + h.w;
    }
    y[i * 16 + l] = s;
}
