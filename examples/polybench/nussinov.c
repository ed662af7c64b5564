/* Most base pairs of an RNA sequence, by dynamic programming over its intervals */
#pragma regraph size(n=61) size(n=17) size(n=1)
#pragma regraph input(seq: uniform(0, 3)) input(table: constant(0))
#define MAX(a, b) ((a) >= (b) ? (a) : (b))
void kernel_nussinov(int n, const int seq[n], int table[n][n])
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            table[i][j] = MAX(table[i][j], table[i][j - 1]);
            if (i + 1 < n) table[i][j] = MAX(table[i][j], table[i + 1][j]);
            if (i + 1 < n) {
                if (i < j - 1)
                    table[i][j] = MAX(table[i][j], table[i + 1][j - 1] + (seq[i] + seq[j] == 3));
                else
                    table[i][j] = MAX(table[i][j], table[i + 1][j - 1]);
            }
            for (int k = i + 1; k < j; k++) table[i][j] = MAX(table[i][j], table[i][k] + table[k + 1][j]);
        }
}
