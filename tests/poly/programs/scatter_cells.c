#pragma regraph size(n=262144, m=5000)
struct cell { double mass, mom[2]; int count; };
#pragma regraph extent(p: n) extent(c: m) extent(idx: n)
#pragma regraph input(idx: uniform(0, m-1))
struct part { double m, u, v; };
void deposit(int n, int m, const struct part *p, const int *idx, struct cell *c)
{
    for (int i = 0; i < n; i++) {
        int k = idx[i];
        c[k].mass += p[i].m;
        c[k].mom[0] += p[i].m * p[i].u;
        c[k].mom[1] += p[i].m * p[i].v;
        c[k].count++;
    }
}
