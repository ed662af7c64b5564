// Stores of both arms that stay where they are: one is read again, one goes elsewhere, one follows another. want: sequential
// lacks: (dist|far|two)_2
// chain: sequential
#pragma regraph size(n=3000) size(n=70) size(n=2)
void common_stores_not(int n, const double x[n], double dist[n + 2], double far[n + 2], double two[n + 2])
{
    for (int i = 1; i < n; i++) {
        int k = i;
        if (x[i] > 0.5) {
            double h = x[i] * x[i - 1];
            dist[i] = h;
            far[k] = far[i - 1] * dist[i] + h;
            two[i] = h;
            two[i] = two[i] * two[i - 1];
        } else {
            double s = x[i] - x[i - 1];
            dist[i] = dist[i - 1] * s;
            k += s > 0 ? 1 : 2;
            far[k] = far[i - 1] * dist[i] + s;
            two[i] = two[i - 1] * s;
        }
    }
}
