// desc: block of 256: 16 rows by 16 float4 loaded at once, summed over rows in a shared tree
// plan: bag<<<b, 256>>>(idx, w, y);
__global__ void bag(const int *idx, const float4 *w, float4 *y)
{
    __shared__ float4 s[256];
    int t = threadIdx.x, r = t / 16, l = t & 15;
    s[t] = w[idx[blockIdx.x * 16 + r] * 16 + l];
    for (int h = 128; h >= 16; h /= 2) {
        __syncthreads();
        if (t < h) { float4 a = s[t], b = s[t + h]; s[t] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
    }
    if (t < 16) y[blockIdx.x * 16 + t] = s[t];
}
