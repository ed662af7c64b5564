// desc: block of 16x16 per product, straight from global memory
// plan: mm<<<b, dim3(16,16)>>>(A, B, C);
__global__ void mm(const float *A, const float *B, float *C)
{
    int j = threadIdx.x, i = threadIdx.y, o = blockIdx.x * 512;
    float re = 0, im = 0;
    for (int k = 0; k < 16; k++) {
        float a = A[o + 2 * (i * 16 + k)], c = A[o + 2 * (i * 16 + k) + 1], d = B[o + 2 * (k * 16 + j)], e = B[o + 2 * (k * 16 + j) + 1];
        re += a * d - c * e;
        im += a * e + c * d;
    }
    C[o + 2 * (i * 16 + j)] = re;
    C[o + 2 * (i * 16 + j) + 1] = im;
}
