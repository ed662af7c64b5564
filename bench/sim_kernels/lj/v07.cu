// desc: thread per pair, four atomics to global memory for each pair inside the cutoff
// plan: fill(f, 0);
// plan: lj<<<ceil_div(n*k,256), 256>>>(n, k, box, p, nb, f);
__global__ void lj(int n, int k, float box, const float4 *p, const int *nb, float *f)
{
    int e = blockIdx.x * 256 + threadIdx.x;
    if (e >= n * k) return;
    int i = e / k, j = i + nb[e];
    if (j < 0) j += n;
    if (j >= n) j -= n;
    if (j == i) return;
    float4 a = p[i], b = p[j];
    float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    dx -= box * rintf(dx / box);
    dy -= box * rintf(dy / box);
    dz -= box * rintf(dz / box);
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= 6.25f) return;
    float s = 1 / (r2 + 0.5f), s3 = s * s * s, q = a.w + b.w, g = q * 48 * s3 * (s3 - 0.5f) * s;
    atomicAdd(&f[4 * i], g * dx);
    atomicAdd(&f[4 * i + 1], g * dy);
    atomicAdd(&f[4 * i + 2], g * dz);
    atomicAdd(&f[4 * i + 3], q * 2 * s3 * (s3 - 1));
}
