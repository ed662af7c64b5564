// What is kept until something is far from it is not the last element. want: sequential
#pragma regraph extent(x: n) extent(kept: n)
int tracked_far_not(const int *x, int n, int *kept)
{
    int m = 0, last = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > last + 1 || x[i] < last - 1) {
            kept[m++] = last;
            last = x[i];
        }
    return m;
}
