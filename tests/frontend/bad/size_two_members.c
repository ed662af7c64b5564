// expect: 'n' is no parameter of f
// expect: did you mean 'rows.n' or 'cols.n'?
static struct { int n; float *at; } rows;
static struct { int n; float *at; } cols;
#pragma regraph size(n=10) extent(rows.at: rows.n) extent(cols.at: cols.n)
void f(void)
{
    for (int i = 0; i < rows.n; i++) rows.at[i] = 0;
    for (int i = 0; i < cols.n; i++) cols.at[i] = 0;
}
