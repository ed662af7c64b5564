// A row's pointer that goes on by the stride whenever the column begins again; a third counter goes round for itself. want: parallel
#pragma regraph size(n=30000,w=640,stride=700) size(n=77,w=5,stride=5) size(n=40,w=1,stride=3) size(n=2,w=9,stride=9)
#pragma regraph extent(x: n * stride) extent(y: n)
struct place {
    int column, tap;
};
void cyclic_rows(int n, int w, int stride, const float *x, float *y)
{
    const float *row = x;
    struct place at = {0, 0};
    int i = 0;
    while (i < n) {
        y[i] = row[at.column] * (at.tap + 1);
        at.column++;
        if (at.column >= w) {
            row += stride;
            at.column = 0;
        }
        at.tap += 2;
        if (at.tap == 6) at.tap = 0;
        i++;
    }
}
