// Each reads what the one before it stored, or asks first whether there is an element ahead. want: parallel
// chain: parallelize@C
// lacks: _ahead
#pragma regraph size(n=5000) size(n=67) size(n=3) size(n=2)
void shift_not(int n, int x[n], int y[n], int z[n])
{
    for (int i = 1; i < n; i++) x[i] = x[i] + x[i - 1] / 2;
    for (int i = 0; i < n; i++)
        if (i + 1 < n && y[i] > 3) y[i] = y[i + 1];
    for (int i = 0; i < n; i++) z[i] = y[i];
}
