// Quick sort between two pointers, falling, of reals: NaN and negative zeros are left to the C. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
#pragma regraph size(n=3000) size(n=40)
static void between(float *first, float *last)
{
    while (first < last) {
        float *l = first, *r = last, mid = first[(last - first) / 2];
        do {
            while (*l > mid) ++l;
            while (mid > *r) --r;
            if (l <= r) {
                float h = *l;
                *l++ = *r;
                *r-- = h;
            }
        } while (l <= r);
        if (first < r) between(first, r);
        first = l;
    }
}
void falling(float *a, int n)
{
    between(a, a + n - 1);
}
