// Rows of a table that data choose, through a pointer to the row, shorter than the rows of the table. want: parallel
void rows_led(const int *idx, const float *table, int ld, float *out, int n, int dim)
{
    for (int i = 0; i < n; i++) {
        const float *src = table + (long)idx[i] * ld;
        float *dst = out + (long)i * dim;
        for (int k = 0; k < dim; k++) dst[k] = src[k] + 1.0f;
    }
}
