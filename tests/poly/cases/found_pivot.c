// The row with the largest element among those that are left, from the last row on; equal ones: the last that is come to. want: parallel
#pragma regraph size(n=50000) size(n=1) size(n=300) input(done: uniform(0, 1)) input(col: uniform(-9, 9))
static int mag(int v) { return v < 0 ? -v : v; }
int pivot(const int *col, const int *done, int n, int *value)
{
    int best = -1;
    for (int r = n - 1; r >= 0; r--) {
        if (done[r]) continue;
        if (best == -1 || mag(col[r]) >= mag(col[best])) best = r;
    }
    *value = best >= 0 ? col[best] : 0;
    return best;
}
