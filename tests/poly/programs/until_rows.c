/* several parallel rows, each iterates on its own until it rests */
#include <math.h>
#pragma regraph size(rows=20000, n=16) input(A: uniform(0, 1))
void rest(int rows, int n, const double A[rows][n], double r[rows], int k[rows])
{
    for (int i = 0; i < rows; i++) {
        double x = 1, old;
        int it = 0;
        do {
            old = x;
            double s = 0;
            for (int j = 0; j < n; j++) s += A[i][j] / (1 + x + j);
            x = s;
            it++;
        } while (fabs(x - old) > 1e-6 && it < 50);
        r[i] = x;
        k[i] = it;
    }
}
