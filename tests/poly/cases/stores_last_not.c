// The element that every iteration stores to is one that another iteration has. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) input(a: uniform(0, 9))
void stores_last_not(int *a, int n)
{
    for (int i = 0, sum = 0; i < n; i++) {
        int t = a[i];
        a[i] = sum;
        sum = (sum + t) % 1000003;
        a[n - 1] = sum;
    }
}
