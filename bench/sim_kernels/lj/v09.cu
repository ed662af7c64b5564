// desc: lists of 64 particles staged in padded shared memory, then 4 threads a particle; grid-stride over 1056 blocks
// plan: lj<<<min(n/64, 1056), 256>>>(n, k, box, p, nb, f);
__global__ void lj(int n, int k, float box, const float4 *__restrict__ p, const int *__restrict__ nb, float4 *__restrict__ f)
{
    __shared__ int s[64][65];
    int t = threadIdx.x, q = t >> 2, l = t & 3;
    float inv = 1.f / box;
    for (int base = blockIdx.x * 64; base < n; base += gridDim.x * 64) {
        for (int c = t; c < 64 * 64; c += 256) s[c >> 6][c & 63] = nb[base * 64 + c];
        __syncthreads();
        int i = base + q;
        float4 a = p[i];
        float x = 0, y = 0, z = 0, e = 0;
        for (int m = l; m < 64; m += 4) {
            int j = i + s[q][m];
            j += j < 0 ? n : j >= n ? -n : 0;
            float4 b = p[j];
            float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            dx -= box * rintf(dx * inv);
            dy -= box * rintf(dy * inv);
            dz -= box * rintf(dz * inv);
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 6.25f && j != i) {
                float r = __fdividef(1.f, r2 + 0.5f), r3 = r * r * r, u = a.w + b.w, g = u * 48 * r3 * (r3 - 0.5f) * r;
                x += g * dx; y += g * dy; z += g * dz; e += u * 2 * r3 * (r3 - 1);
            }
        }
        for (int o = 2; o; o >>= 1) {
            x += __shfl_xor_sync(~0u, x, o); y += __shfl_xor_sync(~0u, y, o); z += __shfl_xor_sync(~0u, z, o); e += __shfl_xor_sync(~0u, e, o);
        }
        if (!l) f[i] = make_float4(x, y, z, e);
        __syncthreads();
    }
}
