// What other places of a written row are used for keeps it in memory. want: parallel
// refused: row.registers : y is written both along the row and at one place of it
#pragma regraph size(rows=300,cols=500)
void row_twice(int rows, int cols, const float x[rows][cols], float y[rows][cols])
{
    for (int r = 0; r < rows; r++) {
        float s = 0;
        for (int c = 0; c < cols; c++) {
            y[r][c] = x[r][c] * 2;
            s += x[r][c];
        }
        float t = y[r][0];
        for (int c = 0; c < cols; c++) y[r][c] += s * t;
    }
}
