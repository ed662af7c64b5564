// desc: block of 64 per particle, thread per neighbour, tree of four arrays in shared memory
// plan: lj<<<n, 64>>>(n, k, box, p, nb, f);
__global__ void lj(int n, int k, float box, const float *p, const int *nb, float *f)
{
    __shared__ float sx[64], sy[64], sz[64], se[64];
    int i = blockIdx.x, t = threadIdx.x;
    sx[t] = sy[t] = sz[t] = se[t] = 0;
    for (int m = t; m < k; m += 64) {
        int j = (i + nb[i * k + m] + n) % n;
        if (j != i) {
            float dx = p[4 * i] - p[4 * j], dy = p[4 * i + 1] - p[4 * j + 1], dz = p[4 * i + 2] - p[4 * j + 2];
            dx -= box * rintf(dx / box);
            dy -= box * rintf(dy / box);
            dz -= box * rintf(dz / box);
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 6.25f) {
                float s = 1 / (r2 + 0.5f), s3 = s * s * s, q = p[4 * i + 3] + p[4 * j + 3], g = q * 48 * s3 * (s3 - 0.5f) * s;
                sx[t] += g * dx;
                sy[t] += g * dy;
                sz[t] += g * dz;
                se[t] += q * 2 * s3 * (s3 - 1);
            }
        }
    }
    __syncthreads();
    for (int o = 32; o > 0; o /= 2) {
        if (t < o) { sx[t] += sx[t + o]; sy[t] += sy[t + o]; sz[t] += sz[t + o]; se[t] += se[t + o]; }
        __syncthreads();
    }
    if (t == 0) { f[4 * i] = sx[0]; f[4 * i + 1] = sy[0]; f[4 * i + 2] = sz[0]; f[4 * i + 3] = se[0]; }
}
