/* Lists whose iterations ask for what others have found, or store to one another's elements: they stay as they are. */
#pragma regraph size(n=30, m=7)
#pragma regraph extent(out: n*m + 1)
int gap(int n, int m, const int *x, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) { /* the last one may be overwritten by the next */
            out[k] = x[i * m + j];
            if (x[i * m + j] > 3) k++;
        }
    return k;
}
// function: gap
// not(gap): found

#pragma regraph size(n=30, m=7)
#pragma regraph extent(out: n*m + 1)
int distinct(int n, int m, const int *x, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (k == 0 || out[k - 1] != x[i * m + j]) out[k++] = x[i * m + j];
    return k;
}
// function: distinct
// not(distinct): found

#pragma regraph size(n=30, m=7)
#pragma regraph extent(out: n*m + 1)
int popped(int n, int m, const int *x, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (x[i * m + j] > 2)
                out[k++] = x[i * m + j];
            else if (k > 0)
                k--;
        }
    return k;
}
// function: popped
// not(popped): found

#pragma regraph size(n=30, m=7)
#pragma regraph extent(out: 2*n*m + 1)
int rounded(int n, int m, const int *x, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[k++] = x[i * m + j];
            if (k % 4 == 3) k++;
        }
    return k;
}
// function: rounded
// not(rounded): found

/* What decides is written in the nest. */
#pragma regraph size(n=30, m=7)
#pragma regraph extent(out: n*m + 1) extent(x: n*m) input(to: uniform(0, n*m - 1))
int marked(int n, int m, int *x, const int *to, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > 2) {
                out[k++] = i * m + j;
                x[to[i]] = 0;
            }
    return k;
}
// function: marked
// not(marked): found

/* A step that a break leaves out. */
#pragma regraph size(n=30, m=7)
#pragma regraph extent(out: n*m + 1) extent(x: n*m)
int broken(int n, int m, const int *x, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[k] = i;
            if (x[i * m + j] == 3) break;
            k++;
        }
    return k;
}
// function: broken
// not(broken): found

/* The counter moves by data, perhaps back. */
#pragma regraph size(n=30, m=7)
#pragma regraph extent(out: 100*n*m + 1) extent(len: n*m) input(len: uniform(0, 9))
int jumps(int n, int m, const int *len, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[k] = i;
            k += len[i * m + j];
        }
    return k;
}
// function: jumps
// not(jumps): found

/* A local that is a multiple of the counter leads into the next one's elements. */
#pragma regraph size(n=30, m=7)
#pragma regraph extent(out: 3*n*m + 6)
int ahead(int n, int m, const int *x, int *out)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > 0) {
                int at = 3 * k;
                out[at] = i;
                out[at + 4] = j;
                k++;
            }
    return k;
}
// function: ahead
// not(ahead): found

/* A list of each row's own: rows are parallel as they stand. */
#pragma regraph size(n=30, m=7)
#pragma regraph extent(near: n*m) extent(how_many: n)
void of_rows(int n, int m, const float *x, int *near, int *how_many)
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < m; j++) {
            if (x[j] < x[i]) near[i * m + k++] = j;
            if (x[j] > x[i]) near[i * m + k++] = -j;
        }
        how_many[i] = k;
    }
}
// function: of_rows
// not(of_rows): found
