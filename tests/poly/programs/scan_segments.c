/* sums that begin anew at flags, running extremes, the last place that had a flag; backwards */
#pragma regraph size(n=100000) input(flag: uniform(0, 1))
void segments(int n, const int flag[n], const float x[n], float sum[n], float top[n], int since[n])
{
    float s = 0, m = -1;
    int last = n;
    for (int i = n - 1; i >= 0; i--) {
        if (flag[i]) last = i;
        s = flag[i] ? x[i] : s + x[i];
        if (x[i] > m) m = x[i];
        sum[i] = s;
        top[i] = m;
        since[i] = last - i;
    }
}
