// nobody says what to time: sizes with which the work is moderate, of what decides it; the names are those of the file
// function: whole
// function: fade
// explain(whole): new=1000000, as nobody said what to time (--size new=1000000)
// not(fade): as in main
// explain(fade): n=5242880: 1048576 times as much as the file's own call
void whole(int new, int mode, int unused, const float *x, float *y)
{
    for (int i = 0; i < new; i++) y[i] = mode == 2 ? x[i] : -x[i];
}
/* main shows what it does with a handful of numbers */
void fade(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = 0.5 * x[i];
}
int main(void)
{
    double x[5] = {1, 2, 3, 4, 5}, y[5];
    fade(5, x, y);
    return y[0] > 1;
}
