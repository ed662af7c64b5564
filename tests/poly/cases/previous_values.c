// What an iteration leaves for the next one is computed again: around a ring, from behind, two back, and read afterwards. want: parallel
// chain: parallelize@C
#pragma regraph size(rows=60,n=501) size(rows=3,n=4) size(rows=1,n=3)
void previous_values(int rows, int n, const double x[rows][n], const double y[rows][n], double area[rows], double bend[rows][n], double last[rows])
{
    for (int r = 0; r < rows; r++) {
        double sum = 0, one = x[r][n - 1], two = x[r][n - 2];
        int i, j;
        for (i = 0, j = n - 1; i < n; j = i++) sum += x[r][j] * y[r][i] - x[r][i] * y[r][j];
        area[r] = sum / 2;
        bend[r][n - 1] = bend[r][n - 2] = 0;
        for (i = n - 3; i >= 0; i--) {
            bend[r][i] = x[r][i] - 2 * one + two;
            two = one;
            one = x[r][i];
        }
        last[r] = one + two;
    }
}
