// What is compared with the background may be the background: it spreads in the order of the loop. want: sequential
#pragma regraph size(n=300, m=900) size(n=20, m=50) input(lab: uniform(0, 20)) input(a: uniform(0, n - 1)) input(b: uniform(0, n - 1))
void fade(int n, int m, const int a[m], const int b[m], int lab[n])
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int e = 0; e < m; e++)
            if (lab[b[e]] != 0 && lab[a[e]] != 3 && lab[a[e]] < lab[b[e]]) {
                lab[b[e]] = lab[a[e]];
                changed = 1;
            }
    }
}
