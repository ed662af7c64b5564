// Where the kernel reads the element besides, the select stays: memory is not asked twice. want: parallel
// chain: parallelize
// shows: y\[i\] = x\[i\] > 0\.5f \? x\[i\] : y\[i\];
#pragma regraph size(n=5000) size(n=1001)
void store_if_read(int n, const float x[n], float y[n], float z[n])
{
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.5f) y[i] = x[i];
        z[i] = y[i] * 2;
    }
}
