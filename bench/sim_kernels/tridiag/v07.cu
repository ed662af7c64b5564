// desc: warp per system: four rows a lane folded to two unknowns, five steps of reduction by shuffles on the ends, no shared memory
// plan: warp<<<ceil_div(m,8), 256>>>(m, a, b, c, d, x);
__global__ void __launch_bounds__(256) warp(int m, const float4 *__restrict__ ga, const float4 *__restrict__ gb, const float4 *__restrict__ gc, const float4 *__restrict__ gd, float4 *__restrict__ gx)
{
    int s = blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (s >= m) return;
    float4 A = ga[s * 32 + l], B = gb[s * 32 + l], C = gc[s * 32 + l], D = gd[s * 32 + l];
    if (l == 0) A.x = 0;
    if (l == 31) C.w = 0;
    /* rows 1 to 3 in terms of the last unknown of the lane before (P) and the lane's own next row: Thomas downwards keeping the fill-in */
    float i0 = 1.f / B.x, p0 = A.x * i0, c0 = C.x * i0, d0 = D.x * i0;                   /* x0 = d0 - p0 P - c0 x1 */
    float i1 = 1.f / (B.y - A.y * c0), p1 = -A.y * p0 * i1, c1 = C.y * i1, d1 = (D.y - A.y * d0) * i1;
    float i2 = 1.f / (B.z - A.z * c1), p2 = -A.z * p1 * i2, c2 = C.z * i2, d2 = (D.z - A.z * d1) * i2;
    /* last row: a P + b x3 + c N0, where N0 is the first unknown of the lane after: that is expressed by its own P = x3 and its x3 */
    float a = -A.w * p2, b = B.w - A.w * c2, c = C.w, d = D.w - A.w * d2;
    /* x0 = e - p P - q x3 */
    float e = d0 - c0 * d1 + c0 * c1 * d2, p = p0 - c0 * p1 + c0 * c1 * p2, q = c0 * c1 * c2;
    float en = __shfl_down_sync(~0u, e, 1), pn = __shfl_down_sync(~0u, p, 1), qn = __shfl_down_sync(~0u, q, 1);
    if (l == 31) en = pn = qn = 0;
    b -= c * pn;
    d -= c * en;
    c = -c * qn;
#pragma unroll
    for (int o = 1; o < 32; o *= 2) {
        float au = __shfl_up_sync(~0u, a, o), bu = __shfl_up_sync(~0u, b, o), cu = __shfl_up_sync(~0u, c, o), du = __shfl_up_sync(~0u, d, o);
        float ad = __shfl_down_sync(~0u, a, o), bd = __shfl_down_sync(~0u, b, o), cd = __shfl_down_sync(~0u, c, o), dd = __shfl_down_sync(~0u, d, o);
        float k1 = l >= o ? __fdividef(a, bu) : 0.f, k2 = l + o < 32 ? __fdividef(c, bd) : 0.f;
        b -= k1 * cu + k2 * ad;
        d -= k1 * du + k2 * dd;
        a = -k1 * au;
        c = -k2 * cd;
    }
    float x3 = d / b, P = __shfl_up_sync(~0u, x3, 1);
    if (l == 0) P = 0;
    float x2 = d2 - p2 * P - c2 * x3, x1 = d1 - p1 * P - c1 * x2, x0 = d0 - p0 * P - c0 * x1;
    gx[s * 32 + l] = make_float4(x0, x1, x2, x3);
}
