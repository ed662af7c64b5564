// Both arms of a condition that the device has computed, inside a loop of the plan. want: parallel
// chain: reduce.block@loop:i
// shows: == 0\) \{
// lacks: // +if \(
#pragma regraph size(n=5000, T=6) size(n=37, T=5)
void guards_arms(int n, int T, const float x[T][n], float y[n], float z[n])
{
    for (int t = 0; t < T; t++) {
        float s = 0;
        for (int i = 0; i < n; i++) s += x[t][i];
        if (s > 0) {
            for (int i = 1; i < n; i++) y[i] = 0.5f * z[i - 1] + x[t][i];
        } else {
            for (int i = 1; i < n; i++) z[i] = 0.5f * y[i - 1] - x[t][i];
        }
    }
}
