// desc: float4: four points along a row a thread, neighbours from the vectors beside, 32x4
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(n/128, ceil_div(n,4)), dim3(32,4)>>>(n, c, a, b); swap(a, b); }
__global__ void step(int n, float c, float *__restrict__ p, const float *__restrict__ q)
{
    int j = (blockIdx.x * 32 + threadIdx.x) * 4, i = blockIdx.y * 4 + threadIdx.y;
    if (i < 2 || i >= n - 2) return;
    const float *r = q + i * n + j;
    float4 m = *(const float4 *)r, u = *(const float4 *)(r - n), d = *(const float4 *)(r + n), uu = *(const float4 *)(r - 2 * n), dd = *(const float4 *)(r + 2 * n);
    float2 left = j > 0 ? *(const float2 *)(r - 2) : make_float2(0, 0), right = j + 4 < n ? *(const float2 *)(r + 4) : make_float2(0, 0);
    float x[8] = {left.x, left.y, m.x, m.y, m.z, m.w, right.x, right.y};
    float v1[4] = {u.x + d.x, u.y + d.y, u.z + d.z, u.w + d.w}, v2[4] = {uu.x + dd.x, uu.y + dd.y, uu.z + dd.z, uu.w + dd.w};
    float4 old = *(float4 *)(p + i * n + j);
    float o[4] = {old.x, old.y, old.z, old.w};
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float l = -5.0f * x[k + 2] + 1.3333334f * (x[k + 1] + x[k + 3] + v1[k]) - 0.083333336f * (x[k] + x[k + 4] + v2[k]);
        if (j + k >= 2 && j + k < n - 2) o[k] = 2.0f * x[k + 2] - o[k] + c * l;
    }
    *(float4 *)(p + i * n + j) = make_float4(o[0], o[1], o[2], o[3]);
}
