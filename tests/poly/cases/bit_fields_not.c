// Bit-fields that are set share bytes with their neighbours, and cut off what they are set to. want: sequential
struct flags { unsigned a : 3, b : 5, c : 24; };
void bit_fields_not(int n, const int *restrict x, struct flags *restrict s, int *restrict y)
{
    for (int i = 0; i < n; i++) {
        struct flags f = {x[i], 40 + x[i], 7};
        f.c += f.b;
        s[i].a = x[i] + 9;
        s[i].b++;
        y[i] = f.a + f.c;
    }
}
#pragma regraph extent(x: n) extent(s: n) extent(y: n)
