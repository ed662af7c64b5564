// A scalar that iterations behind the guard find as an earlier one has left it. want: sequential
double running_kept(const float *x, const float *wt, long n, double *out)
{
    double all = 0, mean = 0, sum = 0, now = 1;
    for (long i = 0; i < n; i++) {
        double v = x[i], w = wt[i], d;
        if (w > 0.0) {
            now = all * v + w;
            d = v - mean;
            mean += d * w / (1.0 + now * now);
            all = now * d;
        }
        sum += now * v;
    }
    out[0] = mean;
    return sum;
}
