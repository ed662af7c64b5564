// Structures that are chosen as a whole: the run so far goes on or begins, the best is the longer one. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(0, 9)) extent(most: 1) role(most: out)
struct run { int at, len; float last; };
void whole_chosen(const float *x, int n, struct run *most)
{
    struct run best = {-1, 0, 0.0f}, now = {-1, 0, 0.0f};
    for (int i = 0; i < n; i++) {
        now = i > 0 && x[i] >= x[i - 1] ? (struct run){now.at, now.len + 1, x[i]} : (struct run){i, 1, x[i]};
        best = now.len > best.len ? now : best;
    }
    *most = best;
}
