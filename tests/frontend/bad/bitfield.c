// expect: is a bit-field
struct s { unsigned long a : 40, b : 5; };
#pragma regraph size(n=4)
void f(int n, struct s *x) { for (int i = 0; i < n; i++) x[i].a = 0; }
