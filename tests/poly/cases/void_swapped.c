// Two void pointers are swapped, and stay pointers. want: sequential
#pragma regraph size(n=300, m=5) size(n=3, m=1) size(n=17, m=4)
#pragma regraph extent(x: n) extent(z: n)
void void_swapped(int n, int m, void *x, void *z)
{
    for (int k = 0; k < m; k++) {
        const float *from = x;
        float *to = z;
        for (int i = 0; i < n; i++) to[i] = from[i] * 0.5f + 1;
        void *t = x;
        x = z;
        z = t;
    }
}
