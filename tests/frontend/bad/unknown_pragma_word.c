// expect: unknown_pragma_word.c:2:17: unknown word 'sizes' in #pragma regraph
#pragma regraph sizes(n=10)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
