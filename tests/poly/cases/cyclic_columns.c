// A column and a row that count beside the counter over all pixels; the last ones are asked for behind. want: parallel
#pragma regraph size(n=30000,w=640) size(n=77,w=5) size(n=40,w=1) size(n=2,w=9) extent(x: n) extent(y: n)
void cyclic_columns(int n, int w, const float *x, float *y, long *last)
{
    int column = 0, row = 3;
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * column + row;
        if (++column == w) {
            column = 0;
            row++;
        }
        y[i] += column == 0 ? 0.5f : 0;
    }
    *last = row * 100000L + column;
}
