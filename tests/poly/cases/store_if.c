// A store under a condition stays one where nothing else of the kernel reads the array: what is not written costs no traffic. want: parallel
// chain: parallelize,grid.stride
// shows: ; grid\.stride: each thread
// lacks: \? x\[i\] : y\[i\]
#pragma regraph size(n=5000) size(n=1001)
void store_if(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0.98f) y[i] = x[i];
}
