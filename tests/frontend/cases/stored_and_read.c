/* What is computed of a running value through an element that is stored and read again; a value that restarts. */
void stored_and_read(const int *x, const unsigned char *open, int n, long *depth, long *worst)
{
    long run = 0, high = 0, most = 0;
    for (int i = 0; i < n; i++) {
        if (open[i]) {
            run = 0;
            high = 0;
        }
        run += x[i];
        if (run > high) high = run;
        depth[i] = high - run;
        if (depth[i] > most) most = depth[i];
    }
    *worst = most;
}
