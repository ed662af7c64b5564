// function: rim
// function: inner
// function: chunks
// function: apart
// function: reset
/* loops over all elements of rows whose length is a sum, or of as many rows as a choice says; numbers by their place */
#include <stdlib.h>
#include <string.h>
#pragma regraph size(w=30, h=20) size(w=1, h=1)
void rim(int w, int h, const float in[h][w], float out[h][w])
{
    const int pitch = w + 2, cells = pitch * (h + 2);
    float *a = malloc(sizeof(float) * cells), *b = malloc(sizeof(float) * cells);
    for (int k = 0; k < cells; k++) a[k] = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) a[(y + 1) * pitch + x + 1] = in[y][x];
    for (int k = 0; k < cells; k++) b[k] = 0.5f * a[k];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int k = (y + 1) * pitch + x + 1;
            out[y][x] = b[k] + a[k - 1] + a[k + 1] + a[k - pitch] + a[k + pitch];
        }
    free(a);
    free(b);
}
// explain(rim): b is read as b[h + 2][w + 2]
/* two negative factors: C goes round once */
#pragma regraph size(w=30, h=20) size(w=2, h=2) extent(out: w*h) extent(in: w*h)
void inner(int w, int h, const float *in, float *out)
{
    for (int k = 0; k < (h - 3) * (w - 3); k++) out[k] = in[k] + 1;
    for (int y = 0; y < h - 3; y++)
        for (int x = 0; x < w - 3; x++) out[y * (w - 3) + x] *= 2;
}
#pragma regraph size(n=100, m=7) size(n=3, m=1)
void chunks(int n, int m, const float in[n][m], float out[n])
{
    float *part = malloc(sizeof(float) * 16 * m);
    for (int at = 0; at < n; at += 16) {
        int rows = n - at < 16 ? n - at : 16;
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < m; j++) part[r * m + j] = in[at + r][j];
        for (int k = 0; k < rows * m; k++) part[k] = part[k] < 0 ? 0 : part[k];
        for (int r = 0; r < rows; r++) {
            float s = 0;
            for (int j = 0; j < m; j++) s += part[r * m + j];
            out[at + r] = s;
        }
    }
    free(part);
}
// explain(chunks): part is read as part[16][m]
/* how many rows changes in the loop */
#pragma regraph size(n=40, m=7) extent(out: 2*n*m)
void apart(int n, int m, const int in[n], int *out)
{
    int rows = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) out[i * m + j] = in[i];
    for (int k = 0; k < rows * m; k++) {
        if (out[k] > 90) rows = n / 2;
        out[k] += k;
    }
}
typedef struct {
    int rows, cols;
    float *at;
} table;
static table *fresh(int rows, int cols)
{
    table *t = malloc(sizeof *t);
    if (!t) return NULL;
    t->rows = rows;
    t->cols = cols;
    t->at = calloc(t->rows * t->cols, sizeof(float));
    return t;
}
#pragma regraph size(n=40, m=7)
int reset(int n, int m, const float in[n][m], float out[n])
{
    int made, failed = 1;
    table *t = fresh(n, m), *u = NULL;
    if (!t || !t->at) goto done;
    made = t->rows;
    made *= 2;
    u = fresh(made, m);
    if (!u) goto done;
    for (int i = 0; i < u->rows; i++)
        for (int j = 0; j < u->cols; j++) u->at[i * u->cols + j] = in[i / 2][j] * (i % 2 ? 2 : 1);
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->cols; j++) t->at[i * t->cols + j] += u->at[(made - 1 - i) * m + j];
    made = 0;
    for (int i = 0; i < t->rows; i++) out[i] = t->at[i * t->cols] - t->at[i * t->cols + m - 1];
    failed = made;
done:
    if (u) free(u->at);
    free(u);
    if (t) {
        free(t->at);
        memset(t, 0, sizeof *t);
    }
    free(t);
    return failed;
}
// explain(reset): float *t_at_2 = (float *)malloc(sizeof(float) * n * m)
