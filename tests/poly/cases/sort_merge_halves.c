// A merge sort that copies both halves to the caller's scratch before it merges them: these stay there. want: parallel
#pragma regraph size(n=2500) size(n=701) size(n=1) extent(a: n) extent(aux: n)
static void sort_part(unsigned *a, unsigned *aux, long l, long r)
{
    if (l >= r) return;
    long m = (l + r) / 2;
    sort_part(a, aux, l, m);
    sort_part(a, aux, m + 1, r);
    for (long k = l; k <= r; k++) aux[k] = a[k];
    long i = l, j = m + 1;
    for (long k = l; k <= r; k++) {
        if (i > m) a[k] = aux[j++];
        else if (j > r) a[k] = aux[i++];
        else if (aux[j] < aux[i]) a[k] = aux[j++];
        else a[k] = aux[i++];
    }
}
void sort_halves(unsigned *a, unsigned *aux, long n)
{
    sort_part(a, aux, 0, n - 1);
}
