/* Jumps of every kind have structure: out of nests, to the next iteration, cleanup, back, into loops, returns of helpers. */
#include <stdlib.h>
// not: goto
// not: a jump
// function: find
// function: rows
// function: clean
// function: iterate
// function: spaghetti
// function: helper
// explain(find): for (int i = 0; i < n; i++) {
// explain(helper): out[i] = classify_value + (i & 3);
// explain(iterate): } while (k < 5 && s < 2.0f);
/* 1: forward out of nested loops to a label behind them, per row */
#pragma regraph size(n=50, m=12)
void find(int n, int m, const int a[n][m][m], int out[n])
{
    for (int i = 0; i < n; i++) {
        int r = -1;
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                if (a[i][j][k] > 95) { r = j * m + k; goto found; }
        r = -2;
found:
        out[i] = r;
    }
}
/* 2: next row */
#pragma regraph size(n=50, m=12)
void rows(int n, int m, const int a[n][m], int out[n])
{
    int i, j;
    for (i = 0; i < n; i++) {
        if (a[i][0] & 1) goto next;
        for (j = 0; j < m; j++)
            if (a[i][j] > 90) goto next;
        out[i] = 7;
next: ;
    }
}
/* 3: cleanup */
#pragma regraph size(n=200)
int clean(int n, const float x[n], float y[n])
{
    int err = 0;
    float *t = (float *)malloc(n * sizeof(float));
    if (!t) { err = -1; goto out; }
    for (int i = 0; i < n; i++) t[i] = x[i] * 2;
    if (n > 1000000) { err = 3; goto done; }
    for (int i = 0; i < n; i++) y[i] = t[i] + t[n - 1 - i];
done:
    free(t);
out:
    return err;
}
/* 4: backward */
#pragma regraph size(n=200)
void iterate(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        int k = 0;
again:
        s += x[(i + k) % n];
        k++;
        if (k < 5 && s < 2.0f) goto again;
        float r = s * 2;
        y[i] = r;
    }
}
/* 5: into a loop, crossing */
#pragma regraph size(n=200)
void spaghetti(int n, const int x[n], int y[n])
{
    for (int i = 0; i < n; i++) {
        int k = 0, s = 0, fuel = 60;
        if (x[i] % 3 == 0) goto mid;
top: if (--fuel < 0) goto done;
        s += x[(i + k) % n];
        for (k = 0; k < 6; k++) {
            s += k;
            if (s % 7 == 1) goto low;
mid: if (--fuel < 0) goto done;
            s += 2;
            if (s % 11 == 5) { if (s > 500) goto done; s += 200; goto top; }
        }
low:
        s ^= 5;
        if (s < 40 && s > 0 && k < 9) { k += 3; goto top; }
done:
        y[i] = s;
    }
}
static int classify(const int *row, int m, int lim)
{
    if (m < 2) return -1;
    for (int j = 0; j < m; j++) {
        if (row[j] > lim) return j;
        if (row[j] == 3) break;
    }
    return m;
}
/* 6: returns of helpers put in place */
#pragma regraph size(n=50, m=12)
void helper(int n, int m, const int a[n][m], int out[n])
{
    for (int i = 0; i < n; i++) out[i] = classify(a[i], m, 80) + (i & 3);
}
