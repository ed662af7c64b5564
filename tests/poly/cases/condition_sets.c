// A condition that is a number, behind a comma that sets what the arm asks for. want: parallel
#pragma regraph size(n=60) size(n=9) extent(t: n) extent(o: n) require(n >= 6)
int condition_sets(const unsigned char *t, int n, int *o)
{
    int c = 0, k = 0;
    for (int i = 0; i < n; i++) {
        int r = (k = i % 3, 1) ? t[k] : 0;
        o[i] = (c++, sizeof(int) == 4) ? r : 0;
    }
    return c;
}
