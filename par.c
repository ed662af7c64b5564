/* for each query: first index above */
void search(int nq, int n, const float *t, const float *q, int *pos)
{
    for (int i = 0; i < nq; i++) {
        pos[i] = -1;
        for (int j = 0; j < n; j++)
            if (t[j] >= q[i]) { pos[i] = j; break; }
    }
}
