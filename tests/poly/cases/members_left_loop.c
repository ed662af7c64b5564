// want: parallel
// chain: reduce.block@loop:y
/* Members of what is handed back that every point adds to: an inner loop that is left early leaves no other with it. */
typedef struct { long hits; double sum; float low; } relief_of;
void members_left_loop(const float *restrict z, float *restrict shade, int w, int h, relief_of *st)
{
#pragma regraph extent(z: h*w) extent(shade: h*w) extent(st: 1)
#pragma regraph size(w=40, h=30) size(w=9, h=7) size(w=1, h=12)
    st->hits = 0;
    st->sum = 0;
    st->low = 1e30f;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float best = 0;
            for (int k = 1; k < 16 && x + k < w; k++) {
                float s = (z[y * w + x + k] - z[y * w + x]) / k;
                if (s > best) best = s;
                if (best > 0.3f) {
                    st->hits++;
                    break;
                }
            }
            shade[y * w + x] = 1 / (1 + best * best);
            st->sum += best;
            if (best < st->low) st->low = best;
        }
}
