// Sums of the file as a person writes them: one constant, no zeros added, no ones multiplied, no second name for one index. want: parallel
// chain: parallelize
// shows: B\[\(long long\)\(n - 1\) \* m \+ j\]
// lacks: - 2 \+ 1|1 \* j|0 \* m|\+ 0\]|\+ 3 - 3|j_2
#pragma regraph size(n=33, m=70) size(n=5, m=7)
void folded(int n, int m, const float A[n][m], float B[n][m], float C[m])
{
    for (int j = 0; j < m; j++) {
        B[n - 2 + 1][1 * j] = A[0][j] + 1;
        B[0][j + 3 - 3] = A[n - 1][j + 0] * 2;
    }
    for (int j = 0; j < m; j++) C[j] = B[n - 2 + 1][j] - B[0 * 1][j];
}
