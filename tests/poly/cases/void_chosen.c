// A void pointer that is one of two arrays, and two that are swapped, stay pointers. want: parallel
#pragma regraph size(n=300, m=5) size(n=3, m=1) size(n=17, m=4)
#pragma regraph extent(x: n) extent(z: n)
struct pair {
    float a, b;
};
void void_chosen(int n, int m, void *x, void *z, float *o)
{
    const void *p = n > 3 ? x : z;
    const struct pair *q = p;
    for (int i = 0; i < n; i++) o[i] = q[i].a + q[i].b;
    for (int k = 0; k < m; k++) {
        const struct pair *from = x;
        struct pair *to = z;
        for (int i = 0; i < n; i++) to[i].a = from[i].b * 0.5f + 1;
        void *t = x;
        x = z;
        z = t;
    }
}
