// desc: thread walks 27 rows down a column with the last nine row maxima in a ring of registers, scalar bytes
// plan: dilate<<<dim3(ceil_div(w,128), ceil_div(h,27)), 128>>>(w, h, in, out);
__global__ void dilate(int w, int h, const unsigned char *__restrict__ in, unsigned char *__restrict__ out)
{
    int x = blockIdx.x * 128 + threadIdx.x, y0 = blockIdx.y * 27;
    if (x >= w) return;
    int lo = max(0, x - 4), hi = min(w - 1, x + 4);
    int ring[9];
#pragma unroll
    for (int k = 0; k < 9; k++) ring[k] = 0;
    for (int y = y0 - 4; y < y0 + 31; y += 9) {
#pragma unroll
        for (int k = 0; k < 9; k++) {
            int v = y + k, m = 0;
            if (v >= 0 && v < h) {
#pragma unroll
                for (int i = -4; i <= 4; i++) m = max(m, (int)in[v * w + min(max(x + i, lo), hi)]);
            }
            ring[k] = m;
            int o = v - 4;
            if (o >= y0 && o < min(h, y0 + 27)) {
                m = ring[0];
#pragma unroll
                for (int i = 1; i < 9; i++) m = max(m, ring[i]);
                out[o * w + x] = m;
            }
        }
    }
}
