// Sizes in an array beside a pointer in a structure (int dims[2]; float *data). want: parallel
#pragma regraph size(a.dims[0]=40,a.dims[1]=30,b.dims[0]=1,b.dims[1]=1) size(a.dims[0]=1,a.dims[1]=1,b.dims[0]=1,b.dims[1]=1) size(a->dims[0]=7,a->dims[1]=9,b->dims[0]=1,b->dims[1]=1)
typedef struct { int dims[2]; float *data; } matrix;
static float get(const matrix *m, int i, int j) { return m->data[i * m->dims[1] + j]; }
void transpose(const matrix *a, matrix *b)
{
    for (int i = 0; i < a->dims[0]; i++)
        for (int j = 0; j < a->dims[1]; j++) b->data[j * a->dims[0] + i] = get(a, i, j);
}
