// arrays of its own used to the last element, also by pointers one past the end
#pragma regraph size(n=200, m=17)
void rows(int n, int m, const float A[n][m], float B[n][m])
{
    float w[5] = {1, 2, 4, 2, 1}, buf[m + 4];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m + 4; j++) buf[j] = j < 2 || j >= m + 2 ? 0 : A[i][j - 2];
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (const float *p = w, *e = &w[5], *b = &buf[j]; p != e; p++, b++) s += *p * *b;
            B[i][j] = s;
        }
    }
}
