// want: parallel
/* Unsigned differences that do not come round: rests and quotients of them stay what they are. */
#pragma regraph size(n=600)
void turned(unsigned n, const int *a, int *x)
{
    for (unsigned i = 0; i < n; i++)
        x[n - 1u - i] = a[(n - 1u - i) / 2u] + a[i > 0 ? i - 1u : n - 1u] + a[i + 1u < n ? i + 1u : 0u];
}
