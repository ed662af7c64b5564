// want: parallel
/* The lower triangle, row behind row: scaled in place, each element by its own iteration. */
#pragma regraph size(n=200)
void scale_lower(int n, double f, double *m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) m[i * (i + 1) / 2 + j] *= f * (i - j + 1);
}
