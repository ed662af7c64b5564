// An iteration leaves by what it begins with, and carries that on behind the exit, in a loop: what is carried there decides nothing. want: parallel
#pragma regraph size(n=3000, m=60) size(n=70, m=9) size(n=1, m=1) input(start: uniform(0.0001, 1))
int search_state(int n, int m, const double start[n], const double rate[m], double row[n][m], int *steps)
{
    *steps = m;
    for (int l = 0; l < n; l++) {
        double b = start[l], pay = 0.0;
        if (b < 0.0005) return l + 1;
        for (int k = 0; k < m; k++) {
            if (rate[k] > 0.9) pay = b * rate[k];
            b = b + b * rate[k] * 0.01 - pay * 0.01;
            row[l][k] = b;
        }
    }
    return 0;
}
