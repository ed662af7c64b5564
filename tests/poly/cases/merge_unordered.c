// One of the two is in no order: the loops as they stand. want: parallel
#pragma regraph size(na=300, nb=200) extent(a: na) extent(b: nb) extent(c: na + nb) input(a: uniform(-9, 9))
void merge_unordered(const float *a, const float *b, float *c, int na, int nb)
{
    for (int k = 0, i = 0, j = 0; k < na + nb; k++) {
        if (j >= nb || (i < na && a[i] < b[j]))
            c[k] = a[i++];
        else
            c[k] = b[j++];
    }
}
