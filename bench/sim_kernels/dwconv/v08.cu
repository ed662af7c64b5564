// desc: channels brought to the front by a tiled transposition, plain planar convolution, and back
// plan: scratch float a[b*h*h*64];
// plan: scratch float c[b*h*h*64];
// plan: turn<<<dim3(h*h/32,2,b), dim3(32,8)>>>(h*h, 64, x, a);
// plan: conv<<<dim3(h/32,h/8,b*64), dim3(32,8)>>>(h, a, w, c);
// plan: turn<<<dim3(2,h*h/32,b), dim3(32,8)>>>(64, h*h, c, y);
__global__ void turn(int rows, int cols, const float *x, float *y)
{
    __shared__ float t[32][33];
    int r = blockIdx.x * 32, c = blockIdx.y * 32;
    long o = (long)blockIdx.z * rows * cols;
    for (int q = threadIdx.y; q < 32; q += 8) t[q][threadIdx.x] = x[o + (long)(r + q) * cols + c + threadIdx.x];
    __syncthreads();
    for (int q = threadIdx.y; q < 32; q += 8) y[o + (long)(c + q) * rows + r + threadIdx.x] = t[threadIdx.x][q];
}
__global__ void conv(int h, const float *x, const float *w, float *y)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z, k = z % 64;
    float s = 0;
    for (int u = 0; u < 3; u++)
        for (int v = 0; v < 3; v++) {
            int p = r + u - 1, q = c + v - 1;
            if (p >= 0 && p < h && q >= 0 && q < h) s += w[(u * 3 + v) * 64 + k] * x[(z * h + p) * h + q];
        }
    y[(z * h + r) * h + c] = fmaxf(s, 0);
}
