// How deep each gate is, computed anew until a count of changes is 0: whichever way elements move. want: parallel
// chain: parallelize@C
#pragma regraph size(n=600) size(n=5) size(n=70)
int levelize(int n, const int *first, const int *fanin, int *level)
{
    int depth = 0, changed;
    for (int g = 0; g < n; g++) level[g] = 0;
    do {
        changed = 0;
        for (int g = 0; g < n; g++) {
            int l = 0;
            for (int k = first[g]; k < first[g + 1]; k++)
                if (level[fanin[k]] + 1 > l) l = level[fanin[k]] + 1;
            if (l > 50) l = 50;
            if (l != level[g]) {
                level[g] = l;
                changed++;
            }
        }
    } while (changed > 0);
    for (int g = 0; g < n; g++)
        if (level[g] > depth) depth = level[g];
    return depth;
}
