// What the round goes on with is half of it only until the loop has changed it. want: sequential
#pragma regraph size(n=1024) size(n=9) size(n=1) extent(x: n) extent(y: n)
void uneven(float *x, float *y, int n)
{
    int len = n;
    while (len > 1) {
        int half = len / 2;
        for (int i = 0; i < half; i++) y[i] = x[2 * i] + x[2 * i + 1];
        if (len & 1) half++;
        for (int i = 0; i < half; i++) x[i] = y[i] * 0.5f;
        len = half;
    }
}
