// says: flat_end.c:8: ahead touches memory out of bounds
// says: it reads x[
// says: outside its extent of
#pragma regraph size(n=1000) extent(x: n) extent(y: n)
void ahead(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] + x[i + 1];
}
