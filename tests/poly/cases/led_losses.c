// Losses of probabilities that the loop computes row by row, at places that labels lead to, of other rows too. want: parallel
// chain: parallelize@C, reduce.block@C
#pragma regraph size(n=600,rounds=3) size(n=20,rounds=2) input(label: uniform(-8, 12)) extent(p: n * 5 + 24) extent(q: n * 4 + 16)
#include <math.h>
void led_losses(int n, int rounds, const float x[n], const int label[n], float *p, float *q, float loss[rounds], float sum[1])
{
    for (int r = 0; r < rounds; r++) {
        double all = 0;
        for (int s = 2; s < n; s++) {
            float *row = p + s * 5;
            float total = 0;
            for (int c = 0; c < 5; c++) {
                row[c] = expf(0.1f * c * x[s] + r);
                total += row[c];
            }
            for (int c = 0; c < 5; c++) row[c] /= total;
            float value = row[label[s]];
            if (value < 1e-3f) value = 1e-3f;
            all -= log(value);
        }
        loss[r] = (float)(all / n);
    }
    float more = 0;
    for (int s = 2; s < n; s++) {
        int at = label[s];
        for (int c = 0; c < 4; c++) q[s * 4 + c] = at == c ? x[s] : 1.0f;
        more += q[s * 4 + at];
    }
    sum[0] = more;
}
