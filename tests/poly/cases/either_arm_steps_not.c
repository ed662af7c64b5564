// want: parallel
/* Steps that only look alike: arms of other lengths, an end that is moved in between, one of the iteration before. */
#pragma regraph size(n=300) size(n=7) size(n=1) extent(a: n) extent(b: 2*n + 2) extent(c: 2*n + 2) extent(d: 3*n + 3)
void either_arm_steps_not(int n, const int *a, int *b, int *c, int *d)
{
    int k = 0, end = 0, p = 0, q = 0, e = 1;
    for (int i = 0; i < n; i++) {
        if (a[i] > 50) b[k++] = a[i];
        else { b[k] = 1; k += 2; }
    }
    for (int i = 0; i < n; i++) {
        end = p + 1;
        c[p] = a[i];
        if (a[i] > 3) end = p + 2;
        p = end;
    }
    for (int i = 0; i < n; i++) {
        d[q] += a[i];
        q = e;
        e = q + 1 + (i & 1);
    }
}
