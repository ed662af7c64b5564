// A sign before a sign, of what goes round a recurrence. want: parallel
#pragma regraph size(n=700) size(n=5)
void negated_scan(int n, double s0, const double a[n], const double x[n], double y[n])
{
    double s = s0;
    for (int i = 0; i < n; i++) {
        s = x[i] - -(-(0.5 * a[i] * s));
        y[i] = s;
    }
}
