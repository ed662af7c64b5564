// desc: threads along columns, channels in blockIdx: every access strided by 256 bytes
// plan: conv<<<dim3(64,h,b), h>>>(h, x, w, y);
__global__ void conv(int h, const float *x, const float *w, float *y)
{
    int k = blockIdx.x, c = threadIdx.x, r = blockIdx.y, i = blockIdx.z;
    float s = 0;
    for (int u = 0; u < 3; u++)
        for (int v = 0; v < 3; v++) {
            int p = r + u - 1, q = c + v - 1;
            if (p >= 0 && p < h && q >= 0 && q < h) s += w[(u * 3 + v) * 64 + k] * x[((i * h + p) * h + q) * 64 + k];
        }
    y[((i * h + r) * h + c) * 64 + k] = fmaxf(s, 0);
}
