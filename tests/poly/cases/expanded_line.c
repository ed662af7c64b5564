// A line of variable length that another form replaces leaves no declaration. want: parallel
// chain: wavefront@loop:k
// shows: w_all
// lacks: double w\[
#pragma regraph size(n=150) size(n=17)
void reflect(int n, const double *restrict r, double *restrict y)
{
    double w[n], a = 0.5;
    for (int k = 1; k < n; k++) {
        a = 0.5 * a + 0.25 * r[k];
        for (int i = 0; i < k; i++) w[i] = y[i] + 0.01 * a * y[k - i - 1];
        for (int i = 0; i < k; i++) y[i] = w[i];
        y[k] = a;
    }
}
