// Counters of which one goes on with another number than it begins with, the other's question may overflow behind a gap. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) input(x: uniform(-9, 9)) input(tol: uniform(1, 4)) extent(out: 2) role(out: out)
void running_begins_not(const int *x, int n, int tol, int *out)
{
    int twice = 0, near = 0, most = 0, longest = 0;
    for (int i = 0; i < n; i++) {
        if (twice > 0 && x[i] == x[i - 1])
            twice += 1;
        else
            twice = x[i] > 5 ? 3 : 0;
        if (twice > most) most = twice;
        if (x[i] == -9)
            near = 0;
        else if (near > 0 && x[i] - x[i - 1] <= tol)
            near++;
        else
            near = 1;
        if (near > longest) longest = near;
    }
    out[0] = most;
    out[1] = longest;
}
