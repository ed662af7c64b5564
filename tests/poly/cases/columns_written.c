// Members of structures in an array, and the rows behind them, are written. want: parallel
#pragma regraph size(n=40) size(n=7)
struct series { float *x; float *y; int len; float sum; short flags[3]; };
void columns_written(struct series *s, int n, float a)
{
    for (int i = 0; i < n; i++) {
        struct series *t = s + i;
        float sum = 0;
        for (int k = 0; k < t->len; k++) {
            t->y[k] += a * t->x[k];
            sum += t->y[k];
        }
        t->sum = sum;
        t->flags[1] = t->flags[0] + t->flags[2];
    }
}
