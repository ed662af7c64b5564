/* labels spread until nothing changes any more (integers: exact) */
#pragma regraph size(h=300, w=300) input(lab: uniform(0, 100000))
int spread(int h, int w, int lab[h][w], int nxt[h][w])
{
    int changed = 1, rounds = 0;
    while (changed) {
        changed = 0;
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                int m = lab[i][j];
                if (i > 0 && lab[i - 1][j] > m) m = lab[i - 1][j];
                if (j > 0 && lab[i][j - 1] > m) m = lab[i][j - 1];
                if (m > lab[i][j]) changed = 1;
                nxt[i][j] = m;
            }
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) lab[i][j] = nxt[i][j];
        rounds++;
        if (rounds == 40) break;
    }
    return rounds;
}
