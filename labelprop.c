void labels(int n, int m, const int *off, const int *nbr, int iters, int *label)
{
    for (int i = 0; i < n; i++) label[i] = i;
    for (int t = 0; t < iters; t++)
        for (int i = 0; i < n; i++) {
            int best = label[i];
            for (int e = off[i]; e < off[i+1]; e++)
                if (label[nbr[e]] < best) best = label[nbr[e]];
            label[i] = best;
        }
}
