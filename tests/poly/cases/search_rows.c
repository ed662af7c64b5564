// A search in each row, whose loops say how long the arrays are although data end them. want: parallel
#pragma regraph size(nq=3000, n=1500) size(nq=50, n=40)
void lower(int nq, int n, const float *t, const float *q, int *pos, const float *w, int *last)
{
    for (int i = 0; i < nq; i++) {
        pos[i] = -1;
        for (int j = 0; j < n; j++)
            if (t[j] >= q[i]) { pos[i] = j; break; }
        int k = 0;
        while (k < nq && w[k] < q[i]) k++;
        last[i] = k;
    }
}
