/* Pointers that walk, any number of them, the bound on any; forwards, backwards, by steps, along rows. */

// function: three
// not(three): opaque
#pragma regraph size(n=40) require(n >= 2)
void three(int n, const float *q, const float *r, float *p)
{
    float *end = p + n;
    while (p < end) *p++ = *q++ + *r++;
}

// function: backwards
// not(backwards): opaque
#pragma regraph size(n=40) require(n >= 2)
void backwards(int n, const int *a, int *b)
{
    int *d = b + n;
    while (d > b) *--d = *a++;
}

// function: luma
// not(luma): opaque
#pragma regraph size(n=40) require(n >= 2)
void luma(int n, const unsigned char *p, unsigned char *g)
{
    const unsigned char *last = p + 3 * n;
    for (; p < last; p += 3) *g++ = (p[0] * 77 + p[1] * 151 + p[2] * 28) >> 8;
}

// function: lines
// not(lines): opaque
#pragma regraph size(h=9, w=20, stride=24) require(stride >= w) require(w >= 1) require(h >= 1)
void lines(int h, int w, const unsigned char *src, int stride, unsigned char *dst)
{
    for (int y = 0; y < h; y++) {
        const unsigned char *s = src;
        unsigned char *d = dst, *e = dst + w;
        while (d != e) *d++ = 255 - *s++;
        src += stride;
        dst += w;
    }
}

// function: middle
// not(middle): opaque
#pragma regraph size(n=40) require(n >= 2)
void middle(int n, const int *x, int *y, int *z)
{
    int i = 0;
    while (i < n) {
        y[i] = x[i];
        i++;
        z[i - 1] = x[n - i] + i;
    }
}

/* the step comes before a way out: it counts there */
// function: leaves_late
#pragma regraph size(n=40) require(n >= 2)
#pragma regraph extent(x: n)
int leaves_late(int n, const int *x)
{
    int i = 0;
    while (i < n) {
        i++;
        if (x[i - 1] > 90) break;
    }
    return i;
}

// function: pairs
// not(pairs): opaque
#pragma regraph size(n=41) require(n >= 2)
void pairs(int n, const int *x, int *y)
{
    int k = 0;
    for (int i = 0; i < 2 * n; i += 2) {
        y[k] = x[i] - x[i + 1];
        k++;
    }
}
