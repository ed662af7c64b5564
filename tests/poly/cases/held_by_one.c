// want: parallel
// chain: parallelize
// lacks: y_r
/* One iteration of i alone writes y[j]: a register that every thread stores back would undo it. */
#pragma regraph size(n=40) size(n=3) size(n=1)
void held_by_one(int n, float y[n], const float x[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                if (i == j) y[j] = 0.5f * y[j] + x[j][k];
}
