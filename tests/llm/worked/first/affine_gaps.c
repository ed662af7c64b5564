/* Local alignment with affine gaps (Gotoh): the best score and where it ends. */
#pragma regraph size(n=400, m=300) size(n=97, m=101)
#define MATCH 5
#define MISMATCH -3
#define GAP_OPEN 8
#define GAP_EXTEND 1
#define AT(i, j) ((i) * (m + 1) + (j))

static inline int max2(int a, int b) { return a > b ? a : b; }

static inline int substitution(char x, char y) { return x == y ? MATCH : MISMATCH; }

// H, E, F: tables of (n+1) x (m+1); best: score, end in a, end in b.
// Of equal scores the first in row order counts.
void gotoh(int n, int m, const char a[n], const char b[m], int H[(n + 1) * (m + 1)], int E[(n + 1) * (m + 1)],
           int F[(n + 1) * (m + 1)], int best[3])
{
    for (int j = 0; j <= m; j++) {
        H[AT(0, j)] = 0;
        E[AT(0, j)] = 0;
        F[AT(0, j)] = -1000000;
    }
    best[0] = 0;
    best[1] = 0;
    best[2] = 0;
    for (int i = 1; i <= n; i++) {
        H[AT(i, 0)] = 0;
        F[AT(i, 0)] = 0;
        E[AT(i, 0)] = -1000000;
        for (int j = 1; j <= m; j++) {
            E[AT(i, j)] = max2(E[AT(i, j - 1)] - GAP_EXTEND, H[AT(i, j - 1)] - GAP_OPEN);
            F[AT(i, j)] = max2(F[AT(i - 1, j)] - GAP_EXTEND, H[AT(i - 1, j)] - GAP_OPEN);
            int h = H[AT(i - 1, j - 1)] + substitution(a[i - 1], b[j - 1]);
            h = max2(h, E[AT(i, j)]);
            h = max2(h, F[AT(i, j)]);
            h = max2(h, 0);
            H[AT(i, j)] = h;
            if (h > best[0]) {
                best[0] = h;
                best[1] = i;
                best[2] = j;
            }
        }
    }
}
