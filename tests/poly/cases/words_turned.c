// The longest stretch above a threshold: what is between is skipped in front of all and behind each. want: parallel
#pragma regraph size(n=5000) size(n=67) size(n=2) size(n=1)
int words_turned(const double *x, int n, double least)
{
    int i = 0, best = 0;
    while (i < n && !(x[i] > least)) i++;
    while (i < n) {
        int b = i;
        while (i < n && x[i] > least) i++;
        if (i - b > best) best = i - b;
        while (i < n && !(x[i] > least)) i++;
    }
    return best;
}
