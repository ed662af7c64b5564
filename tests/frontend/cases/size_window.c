// a window, a stride and a border get small proposals
// explain: (--size batch=4000,L=4000,K=3,stride=1,pad=3)
void pool(const float *in, float *out, int batch, int L, int K, int stride, int pad)
{
    const int Lo = (L + 2 * pad - K) / stride + 1;
    for (int b = 0; b < batch; b++)
        for (int o = 0; o < Lo; o++) {
            float m = -1e30f;
            for (int k = 0; k < K; k++) {
                int i = o * stride + k - pad;
                if (i < 0 || i >= L) continue;
                if (in[b * L + i] > m) m = in[b * L + i];
            }
            out[b * Lo + o] = m;
        }
}
