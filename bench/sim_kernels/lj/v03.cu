// desc: the list transposed first (32x33 tiles), then thread per particle with coalesced indices
// plan: scratch int t[n*k];
// plan: turn<<<dim3(ceil_div(k,32), ceil_div(n,32)), dim3(32,8)>>>(n, k, nb, t);
// plan: lj<<<ceil_div(n,256), 256>>>(n, k, box, p, t, f);
__global__ void turn(int n, int k, const int *a, int *t)
{
    __shared__ int s[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) s[threadIdx.y + j][threadIdx.x] = a[(y + j) * k + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) t[(y + j) * n + x] = s[threadIdx.x][threadIdx.y + j];
}
__global__ void lj(int n, int k, float box, const float4 *__restrict__ p, const int *__restrict__ t, float4 *__restrict__ f)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float4 a = p[i], s = make_float4(0, 0, 0, 0);
    float inv = 1.f / box;
#pragma unroll 4
    for (int m = 0; m < k; m++) {
        int j = i + t[m * n + i];
        if (j < 0) j += n;
        if (j >= n) j -= n;
        float4 b = p[j];
        float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        dx -= box * rintf(dx * inv);
        dy -= box * rintf(dy * inv);
        dz -= box * rintf(dz * inv);
        float r2 = dx * dx + dy * dy + dz * dz;
        float r = 1.f / (r2 + 0.5f), r3 = r * r * r, q = r2 < 6.25f && j != i ? a.w + b.w : 0.f, g = q * 48 * r3 * (r3 - 0.5f) * r;
        s.x += g * dx; s.y += g * dy; s.z += g * dz; s.w += q * 2 * r3 * (r3 - 1);
    }
    f[i] = s;
}
