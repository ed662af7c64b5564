/* A step beside another reading of what it steps, or of the place that is set, has no order in C that could be kept. */
#pragma regraph size(n=100)
#pragma regraph input(a: uniform(0, 9))
int beside(int n, const int *a)
{
    int k = 0, sum = 0, last[2] = {0, 0}, *at = last;
    for (int i = 0; i < n; i++) {
        int x = a[i] > 3 ? (k++, k) : 7;
        int y = a[i] > 5 ? last[0]++ : 1;
        at[1] = a[i] > 6 ? (last[1] = i, 4) : 2;
        sum += x + y + at[1];
    }
    return sum + last[0];
}
// explain: opaque parts
