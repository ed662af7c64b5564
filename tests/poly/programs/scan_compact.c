/* stream compaction: places and values of what passes, in order, and how many */
#pragma regraph size(n=100000) input(x: uniform(-100, 100))
int pass(int n, int least, const int x[n], int where[n], int what[n][2])
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > least) {
            where[k] = i;
            what[k][0] = x[i];
            what[k][1] = 3 * x[i];
            k++;
        }
    return k;
}
