// Of neighbours that are equal, the first stays: in place, behind a test, by a member. want: parallel
#pragma regraph extent(a: n) input(a.key: uniform(0, 2))
struct rec {
    int key;
    float value;
};
long in_place_unique(struct rec *a, long n)
{
    long k = 0;
    if (n == 0)
        return 0;
    for (long i = 1; i < n; i++) {
        if (a[i].key == a[k].key)
            continue;
        a[++k] = a[i];
    }
    return k + 1;
}
