// Given up by a flag: where a later term is no number, the sum would be taken. want: sequential
int pruned_real_not(const float *x, const float *q, int n, float *distance)
{
    float best = 1e30f;
    int which = -1;
    for (int i = 0; i < n; i++) {
        float s = 0;
        int kept = 1;
        for (int k = 0; k < 64; k++) {
            float d = x[i * 64 + k] - q[k];
            s += d * d;
            if (s >= best) {
                kept = 0;
                break;
            }
        }
        if (kept) {
            best = s;
            which = i;
        }
    }
    *distance = best;
    return which;
}
