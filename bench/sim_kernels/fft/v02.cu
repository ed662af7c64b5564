// desc: by definition, row and table of roots in shared memory, 4 outputs a thread
// plan: dft<<<b, 256>>>(x, y);
__global__ void dft(const float2 *x, float2 *y)
{
    __shared__ float2 row[1024], root[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 256) {
        row[i] = x[blockIdx.x * 1024 + i];
        float s, c; sincospif(-(float)i / 512.0f, &s, &c);
        root[i] = make_float2(c, s);
    }
    __syncthreads();
    float re[4] = {0}, im[4] = {0};
    for (int i = 0; i < 1024; i++) {
        float2 a = row[i];
#pragma unroll
        for (int q = 0; q < 4; q++) {
            float2 w = root[i * (t + 256 * q) & 1023];
            re[q] += a.x * w.x - a.y * w.y;
            im[q] += a.x * w.y + a.y * w.x;
        }
    }
    for (int q = 0; q < 4; q++) y[blockIdx.x * 1024 + t + 256 * q] = make_float2(re[q], im[q]);
}
