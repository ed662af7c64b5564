// Entries that reach into the row before, rows of which every second counts, and rows two long stay as they are. want: sequential
// chain: sequential
// lacks: ascends
#pragma regraph size(n=40, nnz=400) size(n=4, nnz=9) input(ptr: prefix(nnz))
#pragma regraph extent(ptr: n + 2) extent(val: nnz + 1)
void reach(int n, int nnz, const int *ptr, float *val)
{
    for (int u = 0; u < n; u++)
        for (int p = ptr[u]; p < ptr[u + 1]; p++)
            val[p] = val[p + 1] * 0.5f + 1.0f;
    for (int u = 0; u < n; u++)
        for (int p = ptr[u]; p < ptr[u + 2]; p++)
            val[p] = val[p] * 0.5f + (float)u;
}
