// A row of the function's own between the loops lives in registers alone; the length is fixed. want: parallel
// chain: row.registers
// shows: e_row\[
// lacks: scratch float e
#include <math.h>
#pragma regraph size(rows=700)
void row_local(int rows, const float x[rows][48], const int *keep, float out[rows])
{
    for (int r = 0; r < rows; r++) {
        float e[48], s = 0, best = 0;
        for (int c = 0; c < 48; c++) {
            e[c] = keep[c] ? expf(0.1f * x[r][c]) : 0;
            s += e[c];
        }
        for (int c = 0; c < 48; c++)
            if (e[c] / s > best) best = e[c] / s;
        out[r] = logf(s) + best;
    }
}
