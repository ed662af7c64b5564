// desc: an atomic for every element, output filled first
// plan: fill(y, 0);
// plan: add<<<b*4, 256>>>(idx, w, y);
__global__ void add(const int *idx, const float *w, float *y)
{
    int e = blockIdx.x * 4 + threadIdx.x / 64, j = threadIdx.x & 63;
    atomicAdd(&y[e / 16 * 64 + j], w[idx[e] * 64 + j]);
}
