// A loop that runs wherever its kernel's guard lets it has no guard of its own in front of what its first iteration reads. want: parallel
// chain: parallelize
// shows: for \(int j = 1; j < n - 1; j
// lacks: if \(1 < n - 1\)
#pragma regraph size(n=40) size(n=17) size(n=3) size(n=1)
void no_guard(int n, const float u[n][n], float p[n][n])
{
    for (int i = 1; i < n - 1; i++) {
        p[i][0] = 0;
        for (int j = 1; j < n - 1; j++) p[i][j] = u[i][j] / (2 + p[i][j - 1]);
    }
}
