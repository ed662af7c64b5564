// want: sequential
/* What the inner loop may leave is the whole function, and the loop around it by its own break: what is stored by then
 * stays stored. */
typedef struct { float sum, last; } relief_of;
int members_left_loop_not(const float *restrict z, int w, int h, relief_of *st)
{
#pragma regraph extent(z: h*w) extent(st: 1)
#pragma regraph size(w=40, h=30) size(w=9, h=7) size(w=1, h=12)
    st->sum = 0;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            st->sum = 0.5f * st->sum * st->sum + z[y * w + x];
            if (st->sum > 1.4f) return y;
            if (st->sum > 1.3f) break;
        }
        st->last = st->sum;
        if (st->last > 1.2f) break;
        st->sum -= st->last * z[y * w];
    }
    return -1;
}
