// Assignments inside expressions, jumps, and arrays of the loop's own, in code that the model does not see into. want: parallel
// chain: parallelize@C
// shows: while \(1\)
// lacks: \+\+\]
#pragma regraph size(n=3000,m=40) size(n=37,m=5) extent(a: n*m) extent(out: n) extent(seen: n)
static int step(int v) { return v > 3 ? v - 3 : 0; }
void effects_in_order(int n, int m, const int *a, int *out, int *seen)
{
    for (int i = 0; i < n; i++) {
        int stack[16][2], top = 0, v = a[i * m], taken = 0, sum = 0, left = 0;
        do {
            int next = step(v);
            if (next == v) break;
            stack[top][0] = next, stack[top++][1] = v;
            if (v % 5 == 4 && ++left > 2) continue;
            taken += (v = next) > 1 || left++ < 3 ? v : -1;
        } while (v > 0 && top < 16);
        while (top && (v = stack[--top][1]) >= 0) {
            if (v & 1) continue;
            for (int k = 0; k < m; k++) {
                if (a[i * m + k] > v) break;
                sum += k % 2 ? taken++ : --taken;
            }
        }
        out[i] = sum + taken;
        seen[i] = left;
    }
}
