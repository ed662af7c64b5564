// A subscript that a condition keeps inside one array says nothing of another that it subscripts, too. want: parallel
void pick(int m, int k, const int *idx, const float *small, const float *big, float *sums, float *out)
{
    for (int i = 0; i < m; i++) sums[i] = 2 * small[i];
    for (int i = 0; i < k; i++) {
        int at = idx[i];
        out[i] = big[at];
        if (at < m) out[i] += small[at];
    }
}
