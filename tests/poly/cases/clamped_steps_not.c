// Steps of data, and what is read in between, stay as they are. want: sequential
#pragma regraph extent(x: 4) extent(y: n) input(x: uniform(0, 3)) size(n=300) size(n=4) size(n=5)
int clamped_steps_not(int n, const int *x, int *y)
{
    int m = 1, p = 5;
    p += x[0];
    y[0] = m;
    m += p;
    if (x[1] > 1) {
        m++;
        p = m;
    }
    short s = 32767;
    s += 1;
    unsigned char c = 250;
    c += 7;
    unsigned u = 3;
    u -= 5;
    y[1] = m + s + c;
    y[2] = u > 7 ? p : -p;
    return m;
}
