// A copy of a structure with pointers out of an array, by a local and by value, names the element. want: parallel
#pragma regraph size(n=40) size(n=7)
struct list { const int *at; int n; };
static int total(struct list t)
{
    int s = 0;
    for (int k = 0; k < t.n; k++) s += t.at[k];
    return s;
}
void elements_copied(const struct list *l, int n, int *sum)
{
    for (int i = 0; i < n; i++) {
        struct list t = l[i];
        int most = 0;
        for (int k = 0; k < t.n && t.at[k] < 50; k++) most = k;
        sum[i] = total(l[i]) + most;
    }
}
