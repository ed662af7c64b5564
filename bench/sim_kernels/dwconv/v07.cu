// desc: nine launches, each adds one tap to the output, a tenth takes the positive part
// plan: fill(y, 0);
// plan: for (int t = 0; t < 9; t++) tap<<<dim3(h/4,h,b), dim3(64,4)>>>(h, t/3, t%3, x, w, y);
// plan: relu<<<b*h*h/4, 256>>>(y);
__global__ void tap(int h, int u, int v, const float *x, const float *w, float *y)
{
    int k = threadIdx.x, c = blockIdx.x * 4 + threadIdx.y, r = blockIdx.y, i = blockIdx.z, p = r + u - 1, q = c + v - 1;
    if (p >= 0 && p < h && q >= 0 && q < h) y[((i * h + r) * h + c) * 64 + k] += w[(u * 3 + v) * 64 + k] * x[((i * h + p) * h + q) * 64 + k];
}
__global__ void relu(float *y) { int e = blockIdx.x * 256 + threadIdx.x; y[e] = fmaxf(y[e], 0); }
