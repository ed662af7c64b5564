// What was looked at until the list was full is summed up: that is not the sum of all. want: sequential
#pragma regraph size(n=300, max=20) size(n=70, max=90) input(cost: uniform(0, 50))
int capped_not(const int *cost, int n, int *out, int max, int *total)
{
    int m = 0, sum = 0;
    for (int i = 0; i < n && m < max; i++) {
        sum += cost[i];
        if (cost[i] % 3 == 0)
            out[m++] = i;
    }
    *total = sum;
    return m;
}
