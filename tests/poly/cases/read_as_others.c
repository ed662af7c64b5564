// Structures that are read as others of their size: the members are not those of the first. want: sequential
struct item {
    int k, v, w;
};
struct other {
    int w, k, v;
};
#pragma regraph size(n=40) size(n=33) extent(a: n) extent(out: n)
void read_as_others(const struct item *a, int n, int *out)
{
    for (int i = 0; i < n; i++) {
        const struct item *p = a + i;
        out[i] = ((const struct other *)p)->w + 2 * p->v;
    }
}
