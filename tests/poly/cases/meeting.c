// Two counters that meet, stepped where they are used: the array turned round, all pairs at once. want: parallel
#pragma regraph size(n=100000) size(n=1) size(n=2) size(n=3) size(n=64) size(n=65) extent(x: n)
void meeting(float *x, int n)
{
    int i = 0, j = n - 1;
    while (i < j) {
        float t = x[i];
        x[i++] = x[j];
        x[j--] = t;
    }
}
