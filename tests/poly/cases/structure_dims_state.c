// The same at file scope, where only main sets them. want: parallel
#pragma regraph size(f.dim[0]=12,f.dim[1]=20,f.dim[2]=9) size(f.dim[0]=1,f.dim[1]=1,f.dim[2]=1)
typedef struct { int dim[3]; float *cell; } field;
static field f;
void add(float a)
{
    for (int k = 0; k < f.dim[2]; k++)
        for (int j = 0; j < f.dim[1]; j++)
            for (int i = 0; i < f.dim[0]; i++) f.cell[(k * f.dim[1] + j) * f.dim[0] + i] += a;
}
