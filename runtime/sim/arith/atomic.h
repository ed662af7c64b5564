/* Atomic operations on one element. */
#ifndef RG_SIM_ATOMIC_H
#define RG_SIM_ATOMIC_H
#include "runtime/sim/ptx/ptx.h"

enum { SIM_A_ADD, SIM_A_MIN, SIM_A_MAX, SIM_A_AND, SIM_A_OR, SIM_A_XOR, SIM_A_EXCH, SIM_A_CAS, SIM_A_INC, SIM_A_DEC };

/* The new value of `old`; b the operand (CAS: the value compared with), c CAS: the value stored. */
uint64_t rg__sim_atomic(int op, enum ptx_type t, uint64_t old, uint64_t b, uint64_t c);
/* The same in global memory, where floats are added with denormal numbers as zero (PTX ISA, atom; so does an H200). */
uint64_t rg__sim_atomic_global(int op, enum ptx_type t, uint64_t old, uint64_t b, uint64_t c);
float rg__sim_add_flushed(float a, float b);
#endif
