// One of two loads is chosen, and the other array has just been written: not by way of the read-only cache. want: sequential
#pragma regraph size(na=300, nb=200) extent(a: na) extent(b: nb) extent(c: na + nb) input(a: uniform(-9, 9))
void chosen_loads(const float *a, const float *b, float *c, int na, int nb)
{
    int i = 0, j = 0;
    for (int k = 0; k < na + nb; k++) {
        if (j >= nb || (i < na && a[i] < 2.0f * b[j]))
            c[k] = a[i++];
        if (k >= i + j)
            c[k] = b[j++];
    }
}
