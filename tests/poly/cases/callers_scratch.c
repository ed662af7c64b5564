// Each column is transformed in scratch of the caller's, which has the last one in the end. want: parallel
// chain: parallelize@C
// shows: == cols - 1
#pragma regraph size(rows=32, cols=9) size(rows=4, cols=1) size(rows=7, cols=3)
void columns(float *img, float *col, int rows, int cols)
{
    for (int c = 0; c < cols; c++) {
        for (int r = 0; r < rows; r++)
            col[r] = img[r * cols + c];
        for (int h = 1; h < rows; h *= 2)
            for (int r = 0; r < rows; r++)
                if ((r ^ h) > r && (r ^ h) < rows) {
                    float t = col[r];
                    col[r] = col[r ^ h] + t;
                    col[r ^ h] = t;
                }
        for (int r = 0; r < rows; r++)
            img[r * cols + c] = col[r];
    }
}
