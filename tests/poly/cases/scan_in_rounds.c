// Scans alone in a loop of time: the plan's loop, with the grid going through each. want: parallel
// chain: scan.block@C
// shows: for \(int t = 0; t < steps; t \+= 1\) \{
#pragma regraph size(n=40000, steps=3) size(n=700, steps=5) size(n=1, steps=2) size(n=300, steps=1)
void scan_in_rounds(int n, int steps, double *u, double *total)
{
    for (int t = 0; t < steps; t++) {
        double s = 0;
        for (int i = 0; i < n; i++) {
            s = 0.5 * s + u[i];
            u[i] = s;
        }
        if (t % 2 == 0)
            for (int i = n - 1; i > 0; i--) u[i - 1] = 0.25 * u[i] + u[i - 1];
        *total = s;
    }
}
