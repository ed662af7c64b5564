// want: parallel
// .. to the largest element, of structures.
struct item { float weight; int id; };
#pragma regraph size(n=20011)
const struct item *heaviest(const struct item *x, int n)
{
    if (n <= 0) return 0;
    const struct item *best = x;
    for (int i = 1; i < n; i++)
        if (x[i].weight > best->weight) best = &x[i];
    return best;
}
