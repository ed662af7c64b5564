// A histogram that is a member, with counts, sums and extremes beside it in the same structure. want: parallel
typedef struct { unsigned n, over, bins[64]; double sum; float most; struct { int odd[8]; int all; } by; } hist;
#pragma regraph size(n=900,w=30,h=20) size(n=7,w=3,h=5) size(n=1,w=1,h=1) input(x: uniform(-0.2,1.2))
void member_histogram(const float *x, const unsigned char *img, int n, int w, int h, hist *s)
{
    for (int b = 0; b < 64; b++) s->bins[b] = 0;
    s->n = s->over = 0;
    s->sum = s->most = 0;
    for (int i = 0; i < n; i++) {
        int b = (int)(x[i] * 64);
        if (b < 0 || b > 63) {
            s->over++;
            continue;
        }
        s->bins[b]++;
        s->n++;
        s->sum += x[i];
        if (x[i] > s->most) s->most = x[i];
    }
    for (int y = 0; y < h; y++)
        for (int c = 0; c < w; c++) {
            unsigned char v = img[y * w + c];
            if (v & 1) s->by.odd[v >> 5]++;
            s->by.all += v;
        }
    for (int i = 0; i < n; i++) s->bins[(unsigned)(i * i) % 61]++;
}
