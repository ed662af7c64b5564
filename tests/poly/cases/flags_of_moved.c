// want: parallel
/* A store whose value goes with a loop that threads run inside is not one value: some would store an earlier one last. */
void flags_of_moved(int n, int rounds, const int *restrict ask, float *restrict x)
{
#pragma regraph extent(x: n + 4) extent(ask: 2) input(ask: uniform(0, 5)) size(n=40,rounds=3) size(n=8,rounds=3)
    for (int s = 0; s < rounds; s++)
        for (int k = 0; k < 2; k++)
            for (int r = 0; r < n; r++)
                for (int i = 1; i < n; i++)
                    for (int j = i; j >= 0; j -= 2)
                        if (ask[k] > 2) {
                            if (k < j + 1) x[j + 3] = 0.001f * r;
                        }
}
