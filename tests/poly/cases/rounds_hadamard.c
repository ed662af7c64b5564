// A Walsh-Hadamard transform: the inner loop begins at the outer one. want: parallel
// chain: parallelize@C
// shows: e \^ h
#pragma regraph size(n=1024) size(n=8) size(n=2)
void wht(int *a, int n)
{
    for (int h = 1; h < n; h *= 2)
        for (int i = 0; i < n; i += 2 * h)
            for (int j = i; j < i + h; j++) {
                int x = a[j], y = a[j + h];
                a[j] = x + y;
                a[j + h] = x - y;
            }
}
