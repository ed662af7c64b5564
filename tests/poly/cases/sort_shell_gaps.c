// Shell sort by a table of gaps. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
static const int gaps[] = {57, 23, 10, 4, 1};
#pragma regraph size(n=2000) size(n=40)
void shell(int *a, int n)
{
    for (int g = 0; g < 5; g++)
        for (int i = gaps[g]; i < n; i++) {
            int v = a[i], j = i;
            for (; j >= gaps[g] && a[j - gaps[g]] > v; j -= gaps[g]) a[j] = a[j - gaps[g]];
            a[j] = v;
        }
}
