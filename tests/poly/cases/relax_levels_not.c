// From levels of another netlist, four rounds at most: some fall while others rise, and the order tells. want: parallel
// chain: parallelize@C
#pragma regraph size(n=600) size(n=5) size(n=70) input(was: uniform(0, 9))
int relevel(int n, const int *first, const int *fanin, const float *was, float *level)
{
    int changed = 0;
    for (int g = 0; g < n; g++) level[g] = was[g];
    for (int round = 0; round < 4; round++) {
        changed = 0;
        for (int g = 0; g < n; g++) {
            float l = 0;
            for (int k = first[g]; k < first[g + 1]; k++)
                if (level[fanin[k]] + 1 > l) l = level[fanin[k]] + 1;
            if (l != level[g]) {
                level[g] = l;
                changed = 1;
            }
        }
        if (!changed) break;
    }
    return changed;
}
