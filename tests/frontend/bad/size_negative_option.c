// size: n=-4
// expect: --size n=-4: 'n' is -4; it must be positive
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
