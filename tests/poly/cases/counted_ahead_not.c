// Elements are taken back: the counter goes down as well, and what lies two behind is asked for. want: sequential
#pragma regraph size(n=3000) size(n=1) size(n=40) extent(v: n) extent(hull: n + 1)
int hull(int n, const int *v, int *hull)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (m < 2 || v[i] > hull[m - 1]) {
            hull[m] = v[i];
            m++;
        } else {
            hull[m - 1] = hull[m - 2] ^ v[i];
            if (v[i] % 3 == 0) m--;
        }
    }
    return m;
}
