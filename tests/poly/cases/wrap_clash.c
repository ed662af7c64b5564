// want: sequential
// None of these is another element for every iteration: a shift for each, a step of two, twice round, another remainder, a table whose place
// is in no subscript, choices that are no remainders, two shifts into one array, arithmetic that wraps round by itself, a table that changes.
#pragma regraph size(n=48, m=20) size(n=17, m=5) size(n=3, m=1) require(m >= 1 && n >= m)
#pragma regraph input(c: uniform(0, 5)) input(own: uniform(0, 5)) role(a: inout) role(b: inout) role(d: inout) role(e: inout) role(f: inout) role(g: inout) role(h: inout) role(p: inout)
static const int s[3] = {0, 1, -1};
void push(int n, int m, const int c[n], int own[n], const float x[n], float a[n], float b[n], float d[n], float e[n], float f[n], float g[3][n],
          float h[n], float p[n])
{
    for (int i = 0; i < n; i++) a[(i + c[i]) % n] = x[i];
    for (int i = 0; i < n; i++) d[2 * i % n] = x[i];
    for (int i = 0; i < 2 * n; i++) b[(i + 1) % n] = x[i % n] + i;
    for (int i = 0; i < n; i++) e[(i + 1) % m] = x[i];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) f[(i + s[k] + n) % n] = x[i] + k;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) {
            int t = i + s[k];
            g[0][t < 0 ? 0 : t >= n ? n - 1 : t] = x[i] + k;
        }
    for (int i = 0; i < n; i++) {
        h[(i + 1) % n] = x[i];
        h[(i + 2) % n] = 2 * x[i];
    }
    for (unsigned i = 0; i < (unsigned)n; i++) p[(i - 3u) % (unsigned)n] = x[i];
    for (int i = 0; i < n; i++) own[(i + own[i]) % n] = i % 4;
}
