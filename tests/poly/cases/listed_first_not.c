// The list goes on from one to the next where few were met: what stands in it may be of the one before. want: sequential
#pragma regraph size(n=300, m=200) size(n=17, m=5) size(n=1, m=1)
void listed_first_not(int n, int m, const float x[n], const float at[m], float out[m])
{
    int list[16], c = 0;
    for (int k = 0; k < 16; k++) list[k] = 0;
    for (int i = 0; i < m; i++) {
        if (c > 12) c = 0;
        for (int j = 0; j < n && c < 16; j++)
            if (x[j] > at[i] - 0.1f && x[j] < at[i] + 0.1f) list[c++] = j;
        float s = 0;
        for (int k = 0; k < c; k++) s += x[list[k]] * (k + 1);
        out[i] = s;
    }
}
