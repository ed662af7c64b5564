// Whether it is set anew hangs on what it is. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) input(flow: uniform(-50, 49)) input(set: uniform(0, 99))
int bound_chosen_not(const int *flow, const int *set, int n)
{
    int x = 0;
    for (int i = 0; i < n; i++) x = x > 900 ? set[i] : x + flow[i] > -set[i] ? x + flow[i] : -set[i];
    return x;
}
