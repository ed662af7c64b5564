// A pointer goes along structures that hold pointers, another along the row behind one. want: parallel
#pragma regraph size(n=40) size(n=7)
struct word { const unsigned char *text; int len; };
void columns_walked(const struct word *w, int n, int *sum)
{
    for (const struct word *p = w; p < w + n; p++) {
        int s = 0;
        const unsigned char *c = p->text;
        for (int k = 0; k < p->len; k++) s += c[k];
        sum[p - w] = s;
    }
}
