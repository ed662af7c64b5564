/* Lists that nests fill through counters: the iterations count, a prefix sum of the counts says where each begins. */
#pragma regraph size(w=20, h=30) size(w=1, h=4) size(w=2, h=5)
#pragma regraph extent(mask: w*h) extent(ptr: w*h + 1) extent(col: 3*w*h)
int assembled(int w, int h, const int *mask, int *ptr, int *col)
{
    int n = 0;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++) {
            int row = j * w + i;
            ptr[row] = n;
            if (i > 0 && mask[row - 1]) col[n++] = row - 1;
            col[n++] = row;
            if (j > 0 && mask[row - w]) col[n++] = row - w;
        }
    ptr[w * h] = n;
    return n;
}
// function: assembled
// explain(assembled): count[((long long)j_2 * w + i_2)] = found;
// explain(assembled): first[k] = n;
// explain(assembled): n += count[k];
// explain(assembled): int n_2 = first[((long long)j * w + i)];
// explain(assembled): col[n_2] = w * j + i;

/* Members as counters; the interior alone, which may be empty. */
struct list { int n, most; };
#pragma regraph size(w=20, h=30) size(w=1, h=1) size(w=2, h=5)
#pragma regraph extent(at: 2*w*h) extent(v: w*h)
void interior(int w, int h, const float *v, int *at, struct list *l)
{
    l->n = 0;
    for (int j = 1; j < h - 1; j++)
        for (int i = 1; i < w - 1; i++) {
            if (v[j * w + i] > v[j * w + i - 1]) at[l->n++] = j * w + i;
            if (v[j * w + i] > v[j * w + i + 1]) at[l->n++] = -(j * w + i);
        }
}
// function: interior
// explain(interior): for (long long k = 0; k < places; k++)
// explain(interior): l[0].n = l_2;

/* A local holds where the counter was. */
struct part { int i, j; };
#pragma regraph size(n=30, m=7) size(n=1, m=2)
#pragma regraph extent(x: n*m) extent(parts: n*m)
int held(int n, int m, const int *x, struct part *parts)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > 0) {
                struct part *p = &parts[k++];
                p->i = i;
                p->j = j;
            }
    return k;
}
// function: held
// explain(held): count[((long long)i_2 * m + j_2)] = found;

/* Of limited length: all that is found is counted. */
#pragma regraph size(w=20, h=30, most=40) size(w=5, h=4, most=3)
#pragma regraph extent(xs: most) extent(ys: most)
int limited(int w, int h, int most, const float *v, float t, int *xs, int *ys)
{
    int n = 0;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
            if (v[j * w + i] > t && n < most) {
                xs[n] = i;
                ys[n] = j;
                n++;
            }
    return n;
}
// function: limited
// explain(limited): count[((long long)j_2 * w + i_2)] = found;
// explain(limited): int taken_2 = total_2 < (long long)most;
