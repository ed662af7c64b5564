// A sum, and bytes that are scattered: no atomic is that narrow. want: sequential
// refused: reduce.block@loop:i : updates elements that differ between its iterations
#pragma regraph size(n=300) size(n=77)
double scatter_bytes(int n, const int a[n], const double x[n], unsigned char seen[100])
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        seen[a[i]] += 1;
    }
    return s;
}
