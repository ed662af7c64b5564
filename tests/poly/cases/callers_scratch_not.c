// An iteration leaves one element of the scratch as the one before had it. want: parallel
// chain: parallelize@C
// lacks: == cols - 1
#pragma regraph size(rows=32, cols=9) size(rows=4, cols=1) size(rows=7, cols=3) extent(col: rows + 1) input(col: uniform(-1, 1))
void columns(float *img, float *col, int rows, int cols)
{
    for (int c = 0; c < cols; c++) {
        for (int r = 0; r < rows; r++)
            col[r] = img[r * cols + c];
        for (int h = 1; h < rows; h *= 2)
            for (int r = 0; r < rows; r++)
                if ((r ^ h) > r && (r ^ h) <= rows) {
                    float t = col[r];
                    col[r] = col[r ^ h] + t;
                    col[r ^ h] = t * 0.5f;
                }
        for (int r = 0; r < rows; r++)
            img[r * cols + c] = col[r];
    }
}
