// Bit-fields of a local structure: members of the device's, too, have as many bits. want: sequential
struct state { unsigned a : 3, b : 5, : 2; int c : 4; unsigned char u; _Bool odd : 1; };
#pragma regraph extent(x: n) extent(y: n) size(n=900) size(n=7) size(n=1)
int packed(const int *x, int *y, int n)
{
    struct state s = {0};
    for (int i = 0; i < n; i++) {
        s.a += x[i] & 1;
        s.b += s.a;
        s.c -= x[i] & 3;
        s.u += s.b;
        s.odd = x[i] & 4;
        y[i] = s.a - 20 + s.c * 8 + s.odd;
    }
    struct state t = s;
    return t.a + t.b * 10 + t.c * 1000 + t.u * 100000;
}
