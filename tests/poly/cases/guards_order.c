// What a condition guards changes what it asks, in front of a loop: that loop belongs to it all the same. want: parallel
// chain: reduce.block@loop:i
// shows: kernel4<<<.*, taken_mem\);
// lacks: // +if \(
#pragma regraph size(n=5000, T=50) size(n=37, T=9)
#pragma regraph input(x: uniform(-1, 1)) input(y: uniform(-1, 1))
void guards_order(int n, int T, const float x[T][n], float y[n], int rounds[1])
{
    int done = 0, more = 1;
    for (int t = 0; t < T; t++) {
        float s = 0;
        for (int i = 0; i < n; i++) s += x[t][i] * y[i];
        if (more) {
            more = s > -2.0f;
            for (int i = 0; i < n; i++) y[i] = 0.5f * y[i] + x[t][i];
        }
        done += more;
    }
    rounds[0] = done;
}
