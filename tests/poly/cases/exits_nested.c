// A time loop with exits among the statements of a condition, behind an exchange of pointers. want: parallel
#pragma regraph size(n=9000, steps=30) size(n=70, steps=9) size(n=5, steps=1) input(u: uniform(0.5, 1.0)) extent(u: n) extent(v: n) extent(out: 2)
int exits_nested(int n, int steps, float *u, float *v, float *out)
{
    int code = 0, it;
    float was = 1e30f;
    out[0] = out[1] = 0;
    for (it = 0; it < steps; it++) {
        float s = 0;
        for (int i = 0; i < n; i++) v[i] = 0.25f * (u[i] + u[(i + 1) % n]);
        for (int i = 0; i < n; i++) s += v[i];
        float *t = u;
        u = v;
        v = t;
        if (it % 3 == 2) {
            out[0] = s;
            if (s < 1e-6f * n) {
                code = 7;
                break;
            }
            if (was - s < 1e-5f * n) {
                it++;
                code = 5;
                break;
            }
            was = s;
        }
        out[1] = s;
    }
    return code * 100 + it;
}
