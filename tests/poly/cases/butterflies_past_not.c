// Rounds up to four times the strides' bound: the pairs of the last ones lie behind it. want: sequential
#pragma regraph size(n=64) extent(a: 8 * n)
void past(int n, float *a)
{
    for (int h = 1; h < 4 * n; h *= 2)
        for (int b = 0; b < n; b += 2 * h)
            for (int j = 0; j < h; j++) {
                float u = a[b + j], v = a[b + j + h];
                a[b + j] = u + v;
                a[b + j + h] = u - v;
            }
}
