// At most 16 of the points around each, listed as they are met: what is read was listed. want: parallel
#pragma regraph size(n=300, m=200) size(n=17, m=5) size(n=1, m=1)
void listed_first(int n, int m, const float x[n], const float at[m], float out[m])
{
    int list[16];
    for (int i = 0; i < m; i++) {
        int c = 0;
        for (int j = 0; j < n && c < 16; j++)
            if (x[j] > at[i] - 0.1f && x[j] < at[i] + 0.1f) list[c++] = j;
        float s = 0;
        for (int k = 0; k < c; k++) s += x[list[k]] * (k + 1);
        out[i] = s;
    }
}
