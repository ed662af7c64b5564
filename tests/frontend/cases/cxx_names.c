// function: delete
// function: run
// function: copy
/* names that C++ or CUDA wants for itself */

static int template(int class) { return class * 3; }
#pragma regraph size(new=40)
void delete(int new, const float *this, float *operator, int threadIdx, float namespace)
{
    int private = template(2);
    for (int blockDim = 0; blockDim < new; blockDim++) {
        float virtual = this[blockDim] * namespace;
        operator[blockDim] = virtual + (float)private + (float)threadIdx;
    }
}
// explain(delete): operator         out    float[new]
// explain(delete): new=40
struct class { float template; int mutable; float half; };
#pragma regraph size(n=40) extent(float4: n)
void run(int bool_, struct class *try, const double *float4, int n)
{
    for (int catch = 0; catch < n; ++catch) {
        double typename = float4[catch] + bool_;
        try[catch].template += (float)typename;
        try[catch].half = (float)(typename * 0.5);
    }
}
#pragma regraph size(fill=20, read=10)
void copy(int fill, int read, const float *min, float *max)
{
    for (int scratch = 0; scratch < fill; scratch++)
        for (int swap = 0; swap < read; swap++) max[scratch * read + swap] = min[scratch * read + swap];
}
