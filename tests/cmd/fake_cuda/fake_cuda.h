#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H
extern int launches;
int fake_is(const char *mode); /* FAKE=mode in the environment? */
void fake_kernel(void **a);    /* the test's own: pointers to the kernel's arguments */
#endif
