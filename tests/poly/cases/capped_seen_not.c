// What is dropped is summed up by its values, which does not follow from how many there are: a sum by itself. want: parallel
#pragma regraph size(n=300, cap=20) size(n=70, cap=5) input(a: uniform(0, 50))
int capped_seen_not(const int *a, int n, int *out, int cap, int *lost)
{
    int m = 0, sum = 0;
    for (int i = 0; i < n; i++)
        if (a[i] % 3 == 0) {
            if (m < cap) out[m++] = i;
            else sum += a[i];
        }
    *lost = sum;
    return m;
}
