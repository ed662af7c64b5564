// Members that are updated by one another: all by the old ones. want: sequential
typedef struct { double a, b; } pair;
static pair turn(pair p, double k)
{
    pair q;
    q.a = p.b * p.b * 0.25 + k;
    q.b = p.a * 0.5 - q.a;
    if (q.b > 2.0)
        q.b = p.b;
    return q;
}
double whole_update_tied(const double *x, int n, double *out)
{
    pair p = {0.5, 0.25};
    for (int i = 0; i < n; i++) {
        p = turn(p, x[i]);
        out[i] = p.a;
    }
    return p.b;
}
