// desc: neighbouring threads in neighbouring rows, each goes along 64 columns, 32
// plan: geglu<<<dim3(d/64, r/32), 32>>>(d, x, bias, y);
__global__ void geglu(int d, const float *x, const float *bias, float *y)
{
    int i = blockIdx.y * 32 + threadIdx.x, j0 = blockIdx.x * 64;
    for (int j = j0; j < j0 + 64; j++) {
        float a = x[i * 2 * d + j] + bias[j], b = x[i * 2 * d + d + j] + bias[d + j];
        y[i * d + j] = a * b / (1.0f + expf(-1.5957691f * (a + 0.044715f * a * a * a)));
    }
}
