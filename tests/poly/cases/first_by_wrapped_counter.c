// A counter without a sign that comes round to 0, in a later iteration. want: parallel
#pragma regraph size(n=60) size(n=7) extent(x: n)
int first_by_wrapped_counter(const int *x, int n, int *first, int *what)
{
    unsigned bad = 4294967290u;
    *first = n; *what = -1;
    for (int i = 0; i < n; i++)
        if (x[i] % 2 == 0 || x[i] % 3) {
            if (bad == 0) { *first = i; *what = x[i]; }
            bad++;
        }
    return bad > 5;
}
