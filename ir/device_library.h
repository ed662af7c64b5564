/* Functions of C's library on a device: which there are, under which names, and their definitions. */
#ifndef RG_IR_DEVICE_LIBRARY_H
#define RG_IR_DEVICE_LIBRARY_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <stdbool.h>

/* A function of C's library that device_library.c has, as rg_NAME. */
bool rg__device_has_library(const char *name);
/* rg_NAME, one whose value depends on its arguments alone. */
bool rg__device_pure_library(const char *name);
/* What a device calls the function that C calls `name`: a function of CUDA's, rg_NAME, or the same name. */
const char *rg__device_name(const char *name, struct rg_arena *a);
/* The definitions of all rg_NAME that the texts name, and of what these use. */
void rg__device_library(const char *const *texts, int n, struct rg_buf *out);
#endif
