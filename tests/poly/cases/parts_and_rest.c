// Four at a time, and then the rest, along pointers: the arrays end where the last of the rest is. want: parallel
#pragma regraph size(n=3002) size(n=1) size(n=38)
void parts_and_rest(const float *x, long n, float *y)
{
    for (; n >= 4; n -= 4, x += 4, y += 4) {
        y[0] = x[0] + x[1];
        y[1] = x[2] - x[3];
        y[2] = x[1] - x[3];
        y[3] = x[2] - x[0];
    }
    while (n--) *y++ = *x++ * 0.5f;
}
