// want: parallel
/* Pairs along a product of parameters, which is counted by a size of its own, beside a loop over another product that
 * is tried as one size, and taken back: the first is still that. */
#pragma regraph size(T=24,dim=48,heads=6,kheads=2) size(T=5,dim=24,heads=6,kheads=2)
void turn(int T, int dim, int heads, int kheads, const float *restrict x, const float *restrict w, float *restrict q, float *restrict k)
{
    const int hs = dim / heads, kv = hs * kheads, group = heads / kheads;
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < kv; i++) {
            float val = 0.0f;
            for (int j = 0; j < dim; j++) val += w[i * dim + j] * x[t * dim + j];
            k[t * kv + i] = val;
        }
        for (int i = 0; i < kv; i += 2) {
            float freq = 1.0f / (float)(1 + i % hs);
            float a = k[t * kv + i], b = k[t * kv + i + 1];
            k[t * kv + i] = a - freq * b;
            k[t * kv + i + 1] = freq * a + b;
        }
    }
    for (int h = 0; h < heads; h++)
        for (int t = 0; t < T; t++) {
            const float *r = k + t * kv + (h / group) * hs;
            for (int i = 0; i < hs; i++) q[t * dim + h * hs + i] += r[i];
        }
}
