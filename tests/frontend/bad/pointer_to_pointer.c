// expect: pointer_to_pointer.c:5:26
// expect: is an array of pointers
// expect: A[i*m + j]
// expect: 'float *A'
void f(int n, float *****A) { for (int i = 0; i < n; i++) A[i][0][0][0][0] = 0; }
