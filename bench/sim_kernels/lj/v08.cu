// desc: thread per particle, float4 particles, but arithmetic in double
// plan: lj<<<ceil_div(n,256), 256>>>(n, k, box, p, nb, f);
__global__ void lj(int n, int k, double box, const float4 *p, const int *nb, float4 *f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 a = p[i];
    double fx = 0, fy = 0, fz = 0, e = 0;
    for (int m = 0; m < k; m++) {
        int j = i + nb[i * k + m];
        if (j < 0) j += n;
        if (j >= n) j -= n;
        if (j == i) continue;
        float4 b = p[j];
        double dx = (double)a.x - b.x, dy = (double)a.y - b.y, dz = (double)a.z - b.z;
        dx -= box * rint(dx / box);
        dy -= box * rint(dy / box);
        dz -= box * rint(dz / box);
        double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < 6.25) {
            double s = 1.0 / (r2 + 0.5), s3 = s * s * s, q = (double)a.w + b.w, g = q * 48.0 * s3 * (s3 - 0.5) * s;
            fx += g * dx;
            fy += g * dy;
            fz += g * dz;
            e += q * 2.0 * s3 * (s3 - 1.0);
        }
    }
    f[i] = make_float4(fx, fy, fz, e);
}
