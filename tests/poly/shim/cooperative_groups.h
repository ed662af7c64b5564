/* cpu_shim.h has what the generated code uses of it. */
