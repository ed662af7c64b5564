// desc: thread walks along 16 columns with nine inputs and nine weights in registers, 64 channels by 4 rows a block
// plan: conv<<<dim3(h/16,h/4,b), dim3(64,4)>>>(h, x, w, y);
__global__ void conv(int h, const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y)
{
    int k = threadIdx.x, r = blockIdx.y * 4 + threadIdx.y, c0 = blockIdx.x * 16, i = blockIdx.z;
    float a[9], e[3][3];
#pragma unroll
    for (int t = 0; t < 9; t++) a[t] = w[t * 64 + k];
#pragma unroll
    for (int u = 0; u < 3; u++) {
        int p = r + u - 1;
        bool in = p >= 0 && p < h;
        e[u][0] = in && c0 > 0 ? x[((i * h + p) * h + c0 - 1) * 64 + k] : 0;
        e[u][1] = in ? x[((i * h + p) * h + c0) * 64 + k] : 0;
    }
#pragma unroll 4
    for (int c = c0; c < c0 + 16; c++) {
        float s = 0;
#pragma unroll
        for (int u = 0; u < 3; u++) {
            int p = r + u - 1;
            e[u][2] = p >= 0 && p < h && c + 1 < h ? x[((i * h + p) * h + c + 1) * 64 + k] : 0;
            s += a[3 * u] * e[u][0] + a[3 * u + 1] * e[u][1] + a[3 * u + 2] * e[u][2];
            e[u][0] = e[u][1];
            e[u][1] = e[u][2];
        }
        y[((i * h + r) * h + c) * 64 + k] = fmaxf(s, 0);
    }
}
