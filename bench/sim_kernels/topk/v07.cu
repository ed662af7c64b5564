// desc: by rank: every element counts the larger ones of its row in shared memory, 512 threads with four elements
// plan: top<<<m, 512>>>(x, y);
__global__ void top(const float *x, float *y)
{
    __shared__ float row[2048];
    int t = threadIdx.x, i = blockIdx.x;
    float v[4];
    int rank[4] = {0};
    for (int q = 0; q < 4; q++) row[t + 512 * q] = v[q] = x[i * 2048 + t + 512 * q];
    __syncthreads();
    for (int j = 0; j < 2048; j++) {
        float w = row[j];
#pragma unroll
        for (int q = 0; q < 4; q++) rank[q] += w > v[q] || (w == v[q] && j < t + 512 * q);
    }
    for (int q = 0; q < 4; q++) if (rank[q] < 8) y[i * 8 + rank[q]] = v[q];
}
