// expect: takes a variable number of arguments
void f(int n, ...) { (void)n; }
