// Rows of a length that no vector divides, some longer than the registers hold: another kernel takes those. want: parallel
// chain: row.registers
// shows: if \(cols <= [0-9]+\)
#include <math.h>
#pragma regraph size(rows=37,cols=203) size(rows=5,cols=1) size(rows=3,cols=3001)
void row_softmax(int rows, int cols, const float x[rows][cols], float y[rows][cols])
{
    for (int r = 0; r < rows; r++) {
        float max = -INFINITY, sum = 0;
        for (int c = 0; c < cols; c++) max = fmaxf(max, x[r][c]);
        for (int c = 0; c < cols; c++) {
            y[r][c] = expf(x[r][c] - max);
            sum += y[r][c];
        }
        for (int c = 0; c < cols; c++) y[r][c] /= sum;
    }
}
