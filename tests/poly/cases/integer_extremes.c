// The smaller and the larger of two integers by choice, by a named condition that more asks for, and of types that have no such instruction. want: parallel
// chain: parallelize@C
// shows: min\(
// lacks: low\[i\] = below|min\(u, later|narrow\[i\] = min|f\[i\] = f?min
#pragma regraph size(n=3000) size(n=33) size(n=2) size(n=1) extent(a: n) extent(b: n) extent(x: n) extent(low: n) extent(high: n) extent(near: n) extent(places: n) extent(f: n) extent(narrow: n) input(a: uniform(0, 4000000000)) input(b: uniform(-2000000000, 2000000000))
void integer_extremes(long n, const unsigned *a, const long long *b, const float *x, unsigned *low, long long *high,
                      unsigned long *near, int *places, float *f, unsigned char *narrow)
{
    for (long i = 0; i < n; i++) {
        unsigned u = a[i], v = a[n - 1 - i] + 7u;
        int below = u < v;
        low[i] = below ? u : v;
        places[i] = below ? 1 : -1;
        long long s = b[i], t = (long long)a[i] - 5;
        high[i] = s >= t ? s : t;
        unsigned long w = (unsigned long)s;
        near[i] = w > u ? u : w;                       /* of two types: the smaller as unsigned long */
        f[i] = x[i] < x[n - 1 - i] ? x[i] : x[n - 1 - i]; /* reals: as it stands */
        unsigned char c = (unsigned char)u, d = (unsigned char)v;
        narrow[i] = c < d ? c : d;
        unsigned later = v;
        int then = u < later;
        later += 3u;
        places[i] += (int)((then ? u : later) % 7u); /* no longer what was compared */
    }
}
