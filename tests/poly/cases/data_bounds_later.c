// All entries of a compressed matrix, as many as its last row ends at, where only the extents say how many there may be. want: parallel
// chain: parallelize,coalesce
// shows: taken
#pragma regraph size(n=50, m=40) size(n=3, m=5) extent(count: m) extent(sum: m)
void columns(int n, int m, const int *ptr, const int *col, const int *val, int *count, int *sum)
{
    int nnz = ptr[n];
    for (int i = 0; i < n; i++)
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            sum[col[p]] += val[p] * (i + 1);
    for (int p = 0; p < nnz; p++)
        count[col[p]]++;
}
