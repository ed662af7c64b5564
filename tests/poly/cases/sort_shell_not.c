// Passes by gaps that end at 2; as many over neighbours as short arrays need: no sorts. want: sequential
#pragma regraph size(n=700) size(n=40)
void nearly(int *a, int *b, int n)
{
    for (int gap = n / 2; gap > 1; gap /= 2)
        for (int i = gap; i < n; i++) {
            int v = a[i], j = i;
            for (; j >= gap && a[j - gap] > v; j -= gap) a[j] = a[j - gap];
            a[j] = v;
        }
    int more = 1;
    for (int pass = 0; more && pass < 400; pass++) {
        more = 0;
        for (int i = 0; i + 1 < n; i++)
            if (b[i] > b[i + 1]) {
                int t = b[i];
                b[i] = b[i + 1];
                b[i + 1] = t;
                more = 1;
            }
    }
}
