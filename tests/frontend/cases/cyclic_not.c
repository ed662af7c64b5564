/* Counters that begin again, but not at each so many iterations: never met, set elsewhere, too, kept in some iterations, with a number
 * that the loop changes, by a step that is known when it runs alone, and stepped on a condition. */

// function: passes_by
#pragma regraph size(n=50)
void passes_by(int n, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[i] = p;
        p += 4;
        if (p == 18) p = 0;
    }
}

// function: set_elsewhere
#pragma regraph size(n=50, m=7)
void set_elsewhere(int n, int m, const int *x, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 90) p = 1;
        out[i] = p;
        if (++p == m) p = 0;
    }
}

// function: at_times
#pragma regraph size(n=50, m=7)
void at_times(int n, int m, const int *x, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[i] = p;
        p++;
        if (p == m && x[i] > 0) p = 0;
    }
}

// function: longer
#pragma regraph size(n=50, m=7)
void longer(int n, int m, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[i] = p;
        if (++p == m) p = 0, m++;
    }
}

// function: any_step
#pragma regraph size(n=50, m=7, a=3)
void any_step(int n, int m, int a, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[i] = p;
        p += a;
        if (p >= m) p = 0;
    }
}

// function: some_step
#pragma regraph size(n=50, m=7)
void some_step(int n, int m, const int *x, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[i] = p;
        if (x[i] & 1) p++;
        if (p == m) p = 0;
    }
}

// function: comes_round_first
#pragma regraph size(n=300, m=7)
void comes_round_first(int n, long m, int *out)
{
    unsigned p = 4294967290u;
    for (int i = 0; i < n; i++) {
        out[i] = (int)(p & 255);
        if (++p == m) p = 0;
    }
}
