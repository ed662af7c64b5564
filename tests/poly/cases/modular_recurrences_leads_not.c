// A recurrence whose signs are asked leads to an element: what it would be while that is open leads out of the table. want: sequential
#pragma regraph size(n=3000) size(n=131) size(n=2) size(n=1) extent(s: n) extent(out: n) extent(tab: 97) input(s: uniform(-50, -1))
void by_remainder(int n, const int *s, int *out, const int *tab) {
    int h = 0;
    for (int i = 0; i < n; i++) {
        h = (h * 3 + s[i]) % 97;
        out[i] = tab[-h];
    }
}
