// The last row ends where the entries do, and ptr has no element for that: nobody asks for it. want: sequential
// chain: sequential
// lacks: ascends
#pragma regraph size(n=50, nnz=400) size(n=4, nnz=9) input(ptr: prefix(nnz)) extent(ptr: n) extent(val: nnz)
void last_row(int n, int nnz, const int *ptr, float *val)
{
    for (int u = 0; u < n; u++) {
        if (u < n - 1) {
            for (int p = ptr[u]; p < ptr[u + 1]; p++)
                val[p] = val[p] * 0.5f + 1.0f;
        } else {
            for (int p = ptr[u]; p < nnz; p++)
                val[p] = val[p] * 0.25f;
        }
    }
}
