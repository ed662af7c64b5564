// A flag that is taken back, a count that goes up elsewhere, and a first value that depends on what came before. want: sequential
#pragma regraph size(n=700) size(n=1) size(n=30) input(x: uniform(0, 99)) input(cut: uniform(0, 4))
int pieces(const int *x, const int *cut, int n, int *low)
{
    int found = 0, best = 0, sum = 0, seen = 0, first = 0;
    for (int i = 0; i < n; i++) {
        if (cut[i] == 0) {
            sum = (sum ^ best) * 3 % 1009;
            found = 0;
        }
        if (!found || x[i] < best) {
            best = x[i];
            found = 1;
        }
        if (seen == 0 || x[i] < first) first = x[i] + sum;
        if (x[i] > 50) seen++;
    }
    *low = first;
    return sum;
}
