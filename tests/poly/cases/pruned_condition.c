// The loop goes on while the row may still hold the least of the largest values. want: parallel
// chain: reduce.block@loop:r
#pragma regraph size(rows=300, cols=50) size(rows=30, cols=3)
#include <math.h>
#include <float.h>
double pruned_condition(int rows, int cols, const double m[rows][cols])
{
    double best = DBL_MAX;
    for (int r = 0; r < rows; r++) {
        double worst = 0;
        for (int c = 0; c < cols && worst < best; c++) {
            double a = fabs(m[r][c]);
            worst = a > worst ? a : worst;
        }
        if (worst < best) best = worst;
    }
    return best;
}
