// desc: thread per particle, float4 particles, int4 of the list, reciprocal of the box, 128 threads
// plan: lj<<<ceil_div(n,128), 128>>>(n, k, box, p, nb, f);
__device__ __forceinline__ void pair(int n, int i, int j, float box, float inv, float4 a, const float4 *__restrict__ p, float4 &f)
{
    j += i;
    if (j < 0) j += n;
    if (j >= n) j -= n;
    if (j == i) return;
    float4 b = p[j];
    float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    dx -= box * rintf(dx * inv);
    dy -= box * rintf(dy * inv);
    dz -= box * rintf(dz * inv);
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= 6.25f) return;
    float s = __fdividef(1.f, r2 + 0.5f), s3 = s * s * s, q = a.w + b.w, g = q * 48 * s3 * (s3 - 0.5f) * s;
    f.x += g * dx; f.y += g * dy; f.z += g * dz; f.w += q * 2 * s3 * (s3 - 1);
}
__global__ void lj(int n, int k, float box, const float4 *__restrict__ p, const int4 *__restrict__ nb, float4 *__restrict__ f)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float4 a = p[i], s = make_float4(0, 0, 0, 0);
    float inv = 1.f / box;
    for (int m = 0; m < k / 4; m++) {
        int4 j = nb[i * (k / 4) + m];
        pair(n, i, j.x, box, inv, a, p, s);
        pair(n, i, j.y, box, inv, a, p, s);
        pair(n, i, j.z, box, inv, a, p, s);
        pair(n, i, j.w, box, inv, a, p, s);
    }
    f[i] = s;
}
