// desc: Stockham radix 2, a launch for each of the 10 stages through global memory
// plan: scratch float a[b*2048];
// plan: stage<<<b*2, 256>>>(x, a, 1);
// plan: stage<<<b*2, 256>>>(a, y, 2);
// plan: stage<<<b*2, 256>>>(y, a, 4);
// plan: stage<<<b*2, 256>>>(a, y, 8);
// plan: stage<<<b*2, 256>>>(y, a, 16);
// plan: stage<<<b*2, 256>>>(a, y, 32);
// plan: stage<<<b*2, 256>>>(y, a, 64);
// plan: stage<<<b*2, 256>>>(a, y, 128);
// plan: stage<<<b*2, 256>>>(y, a, 256);
// plan: stage<<<b*2, 256>>>(a, y, 512);
__global__ void stage(const float2 *x, float2 *y, int n)
{
    int r = blockIdx.x / 2 * 1024, j = (blockIdx.x & 1) * 256 + threadIdx.x, k = j % n, d = (j - k) * 2 + k;
    float s, c;
    sincospif(-(float)k / (float)n, &s, &c);
    float2 a = x[r + j], b = x[r + j + 512];
    float u = b.x * c - b.y * s, v = b.x * s + b.y * c;
    y[r + d] = make_float2(a.x + u, a.y + v);
    y[r + d + n] = make_float2(a.x - u, a.y - v);
}
