// Weighted running moments behind a guard, with scalars declared in front of it. want: parallel
double running_guarded(const float *x, const float *wt, long n, double *out)
{
    double all = 0, mean = 0, m2 = 0, m3 = 0;
    long used = 0;
    for (long i = 0; i < n; i++) {
        double v = x[i], w = wt[i], d, r, now;
        if (!(w > 0.0) || v != v)
            continue;
        now = all + w;
        d = v - mean;
        r = d * w / now;
        m3 += all * r * d * d * (all - w) / now - 3.0 * r * m2;
        m2 += all * d * r;
        mean += r;
        all = now;
        used++;
    }
    out[0] = mean;
    out[1] = m2;
    out[2] = m3;
    return used;
}
