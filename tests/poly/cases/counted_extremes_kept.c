// The largest of all so far, which may be none of these elements, and how many share it, asked first. want: parallel
// chain: reduce.block@loop:i
#pragma regraph size(n = 4000) size(n = 1) size(n = 2) size(n = 37) input(x                                            \
                                                                          : uniform(0, 9)) input(m                     \
                                                                                                 : uniform(5, 12))     \
    extent(m : 2)
void peaks(const int *x, int n, int *m)
{
    int most = m[0], same = m[1];
    for (int i = 0; i < n; i++)
        if (x[i] == most)
            same++;
        else if (x[i] > most) {
            most = x[i];
            same = 1;
        }
    m[0] = most;
    m[1] = same;
}
