/* Counters that are taken back, but are no remainder: asked for behind that, of an unsigned type that may come round to 0,
 * by a number that the loop changes, or set elsewhere, too. */

// function: asked_behind
#pragma regraph size(n=50, m=7, a=3)
void asked_behind(int n, int m, int a, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        p += a;
        while (p >= m) p -= m;
        out[i] = p;
    }
}

// function: comes_round
#pragma regraph size(n=50, m=7, a=3)
void comes_round(int n, unsigned m, unsigned a, int *out)
{
    unsigned p = 0;
    for (int i = 0; i < n; i++) {
        out[i] = (int)p;
        p += a;
        while (p >= m) p -= m;
    }
}

// function: changes
#pragma regraph size(n=50, m=7, a=3)
void changes(int n, int m, int a, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        out[i] = p;
        p += a;
        while (p >= m) p -= m;
        m += 1;
    }
}

// function: set_elsewhere
#pragma regraph size(n=50, m=7, a=3)
void set_elsewhere(int n, int m, int a, const int *x, int *out)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 90) p = 1;
        out[i] = p;
        p += a;
        while (p >= m) p -= m;
    }
}
