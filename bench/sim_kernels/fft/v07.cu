// desc: radix 2 in place in shared memory, fp64 arithmetic and sincospi, 512 threads
// plan: fft<<<b, 512>>>(x, y);
__global__ void fft(const float2 *x, float2 *y)
{
    __shared__ double2 z[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 512) { float2 a = x[blockIdx.x * 1024 + i]; z[__brev(i) >> 22] = make_double2(a.x, a.y); }
    for (int h = 1; h < 1024; h *= 2) {
        __syncthreads();
        int k = t & (h - 1), a = 2 * (t - k) + k, b = a + h;
        double s, c;
        sincospi(-(double)k / h, &s, &c);
        double2 p = z[a], q = z[b];
        double u = q.x * c - q.y * s, v = q.x * s + q.y * c;
        z[a] = make_double2(p.x + u, p.y + v);
        z[b] = make_double2(p.x - u, p.y - v);
    }
    __syncthreads();
    for (int i = t; i < 1024; i += 512) y[blockIdx.x * 1024 + i] = make_float2((float)z[i].x, (float)z[i].y);
}
