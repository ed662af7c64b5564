// desc: block of 64 per bag, thread per column
// plan: bag<<<b, 64>>>(idx, w, y);
__global__ void bag(const int *idx, const float *w, float *y)
{
    int i = blockIdx.x, j = threadIdx.x;
    float s = 0;
    for (int k = 0; k < 16; k++) s += w[idx[i * 16 + k] * 64 + j];
    y[i * 64 + j] = s;
}
