// desc: thread per bag, columns one after another, 128 threads
// plan: bag<<<ceil_div(b,128), 128>>>(b, idx, w, y);
__global__ void bag(int b, const int *idx, const float *w, float *y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= b) return;
    for (int j = 0; j < 64; j++) {
        float s = 0;
        for (int k = 0; k < 16; k++) s += w[idx[i * 16 + k] * 64 + j];
        y[i * 64 + j] = s;
    }
}
