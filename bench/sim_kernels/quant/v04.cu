// desc: thread per row, 64 threads
// plan: quant<<<r/64, 64>>>(c, x, q, scale);
__global__ void quant(int c, const float *x, signed char *q, float *scale)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float m = 0;
    for (int j = 0; j < c; j++) m = fmaxf(m, fabsf(x[i * c + j]));
    float s = m / 127.0f;
    scale[i] = s;
    for (int j = 0; j < c; j++) q[i * c + j] = (signed char)rintf(x[i * c + j] / s);
}
