// A member of a structure is counted in a nest that writes members of its parts, too: no element of a list. want: sequential
struct part {
    double sum;
    double row[4];
};
struct state {
    int found;
    struct part part[8];
};
#pragma regraph size(n=2000) size(n=37)
#pragma regraph extent(s: 1) extent(x: n)
void counted_beside_parts(struct state *s, const double *x, int n)
{
    for (int r = 0; r < 3; r++)
        for (int i = 1; i < n; i++) {
            struct part *p = &s->part[i % 8];
            for (int k = 0; k < 4; k++) p->row[k] = 0.5 * p->row[(k + 1) % 4] + x[i];
            if (x[i] > x[i - 1]) s->found += 1;
            p->sum += p->row[0] * p->row[3];
        }
}
