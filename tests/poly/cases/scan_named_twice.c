// Two running sums of one name: the runs of each keep their members' names. want: parallel
// chain: scan.block@C
#pragma regraph size(n=3000) size(n=300) size(n=9)
void scan_named_twice(int n, const int *a, int *out, int *both)
{
    {
        int total = 0;
        for (int i = 0; i < n; i++) {
            total += a[i] & 7;
            out[i] = total;
        }
    }
    {
        int total = 5;
        for (int j = 0; j < n; j++) {
            total += a[j] >> 3;
            both[j] = total;
        }
    }
}
