/* Conditions that keep a subscript below elements or sizes do so until the variable is changed. */
// function: before
// explain(before): float[at.end]
#pragma regraph size(n=100)
void before(int n, const int *at, const float *x, float *y)
{
    for (int i = 0; i + 1 < n; i++) {
        int k = at[i];
        float s = 0;
        while (k < at[i + 1] && s < 3) {
            s += x[k];
            k++;
        }
        y[i] = s;
    }
}

// function: merge
// explain(merge): int[row.end]
#pragma regraph size(n=100)
void merge(int n, const int *row, const int *col, const float *val, float *y)
{
    for (int i = 0; i + 1 < n; i++) {
        int a = row[i], b = row[i + 1];
        float s = 0;
        while (a < row[i + 1] && b < row[i + 2]) {
            if (col[a] < col[b])
                a++;
            else if (col[a] > col[b])
                b++;
            else {
                s += val[a] * val[b];
                a++;
                b++;
            }
        }
        y[i] = s;
    }
}
