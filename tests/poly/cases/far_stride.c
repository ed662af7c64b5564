// Values close to the end of int: a thread's next stride would come round to small ones. want: parallel
// chain: parallelize,grid.stride
#pragma regraph size(lo=2147483000,n=600) size(lo=2147483000,n=77)
void far_stride(int lo, int n, float x[n], const float y[n])
{
    for (int i = lo; i < lo + n; i++) x[i - lo] = 2.0f * y[i - lo] + (float)(i & 7);
}
