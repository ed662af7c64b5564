/* The closed vocabularies of the regraph file (design section 6), docs/graph.md says how each is computed.
 * Traits are what `when` asks for: true of a site, or, where a coder knows no sites (opaque code, a model), of the
 * whole problem. */
#ifndef RG_WORDS_H
#define RG_WORDS_H
#include <rg/decls.h>
#include <stdint.h>

RG_BEGIN_DECLS

/* enum, word, what it says */
#define RG_TRAIT_MAP(X)                                                                                                \
    X(LOOP, "loop", "a loop nest is there")                                                                            \
    X(PARALLEL, "parallel", "a loop without carried dependence")                                                       \
    X(REDUCTION, "reduction", "an associative update over a loop")                                                     \
    X(SCAN, "scan", "an associative recurrence whose every value is kept")                                             \
    X(CARRIED, "carried", "a carried dependence that is no reduction")                                                 \
    X(TIME_LOOP, "time-loop", "a sequential outer loop around parallel nests")                                         \
    X(STENCIL, "stencil", "neighbouring elements of one array are read")                                               \
    X(REUSE, "reuse", "an element is read by several iterations of parallel loops")                                    \
    X(STRIDED, "strided", "neighbouring iterations touch far addresses")                                               \
    X(UNIT_STRIDE, "unit-stride", "neighbouring iterations touch neighbouring elements")                               \
    X(INDIRECT, "indirect", "a subscript is read from an array")                                                       \
    X(SCATTER, "scatter", "an indirect subscript is written")                                                          \
    X(IRREGULAR, "irregular", "inner loop bounds or exits depend on data")                                             \
    X(BRANCHY, "branchy", "data-dependent branches")                                                                   \
    X(TRIANGULAR, "triangular", "a loop's bounds depend on another loop")                                              \
    X(SHORT_TRIP, "short-trip", "a constant trip count of at most 32")                                                 \
    X(MULTI_NEST, "multi-nest", "several loop nests one after another")                                                \
    X(MATH, "math", "transcendental or division-heavy arithmetic")                                                     \
    X(FP32, "fp32", "computes in float")                                                                               \
    X(FP64, "fp64", "computes in double")                                                                              \
    X(FP16, "fp16", "computes in half precision")                                                                      \
    X(INTEGER, "integer", "computes in integers")                                                                      \
    X(STRUCTS, "structs", "arrays of structs")                                                                         \
    X(CONTRACTION, "contraction", "a reduction of products over two operands with reuse")                              \
    X(MULTI_KERNEL, "multi-kernel", "the current candidate has several kernels")                                       \
    X(SHARED, "shared", "the current candidate uses shared memory")                                                    \
    X(ATOMICS, "atomics", "the current candidate uses atomics")                                                        \
    X(BARRIERS, "barriers", "the current candidate has barriers")                                                      \
    X(SPILLS, "spills", "the current candidate spills registers")

enum rg_trait_index {
#define X(name, word, text) RG_TRAIT_INDEX_##name,
    RG_TRAIT_MAP(X)
#undef X
        RG_N_TRAITS
};
enum rg_trait {
#define X(name, word, text) RG_TRAIT_##name = 1u << RG_TRAIT_INDEX_##name,
    RG_TRAIT_MAP(X)
#undef X
};

/* What bounds a measured candidate. */
#define RG_LIMITER_MAP(X)                                                                                              \
    X(UNKNOWN, "unknown", "not known")                                                                                 \
    X(DRAM, "dram", "device memory bandwidth")                                                                         \
    X(L2, "l2", "L2 bandwidth")                                                                                        \
    X(L1, "l1", "L1 or global load/store wavefronts")                                                                  \
    X(SHARED_MEMORY, "shared", "shared memory bandwidth")                                                              \
    X(FP32, "fp32", "single-precision pipe")                                                                           \
    X(FP64, "fp64", "double-precision pipe")                                                                           \
    X(SFU, "sfu", "special functions")                                                                                 \
    X(TENSOR, "tensor", "tensor cores")                                                                                \
    X(ISSUE, "issue", "instruction issue, integer and control")                                                        \
    X(LATENCY, "latency", "too little work in flight")                                                                 \
    X(OCCUPANCY, "occupancy", "too few threads or blocks")                                                             \
    X(ATOMIC, "atomic", "contended atomics")                                                                           \
    X(BARRIER, "barrier", "waiting at barriers")                                                                       \
    X(LAUNCH, "launch", "launch overhead")

enum rg_limiter {
#define X(name, word, text) RG_LIMIT_##name,
    RG_LIMITER_MAP(X)
#undef X
        RG_N_LIMITERS
};

/* Problem classes, most specific first: the first that holds is the problem's. */
#define RG_CLASS_MAP(X)                                                                                                \
    X(SORT, "sort", "elements are put into an order")                                                                  \
    X(FFT, "fft", "butterflies over distances that change")                                                            \
    X(RELAXATION, "relaxation", "the best of neighbours along edges, until it stays")                                  \
    X(DYNAMIC, "dynamic-programming", "the best of values found before")                                               \
    X(TRIANGULAR, "triangular", "elements solved for one after another by products with earlier ones")                 \
    X(CONTRACTION, "contraction", "a reduction of products with reuse")                                                \
    X(STENCIL, "stencil", "neighbourhood reads, regular")                                                              \
    X(SCAN, "scan", "recurrences kept at every step")                                                                  \
    X(SPARSE, "sparse", "indirect subscripts with data-dependent inner bounds")                                        \
    X(SCATTER, "scatter", "indirect writes")                                                                           \
    X(ROWWISE, "rowwise", "reductions along rows, then rows again")                                                    \
    X(REDUCTION, "reduction", "everything is reduced")                                                                 \
    X(TRANSPOSE, "transpose", "data movement with changed strides")                                                    \
    X(ALLPAIRS, "allpairs", "every element against every other")                                                       \
    X(ELEMENTWISE, "elementwise", "independent elements")                                                              \
    X(SEQUENTIAL, "sequential", "carried dependences dominate")                                                        \
    X(OTHER, "other", "none of these")

#define RG_CATEGORY_WORDS                                                                                              \
    "parallelism", "locality", "memory", "compute", "control", "communication", "launch", "algorithm", "precision",    \
        "tuning"

const char *rg_trait_word(int index);
int rg_trait_parse(const char *word); /* index, -1 unknown */
const char *rg_limiter_word(enum rg_limiter l);
int rg_limiter_parse(const char *word);
const char *rg_limiter_text(const char *word); /* what the word says; the word itself where it is unknown */
int rg_class_count(void);
const char *rg_class_word(int index);
int rg_class_parse(const char *word);
int rg_category_parse(const char *word);

enum rg_vocabulary { RG_WORDS_TRAIT, RG_WORDS_LIMITER, RG_WORDS_CLASS, RG_WORDS_CATEGORY };
/* "; did you mean 'x'?", or "" (rg/similar.h). */
const char *rg_word_near(enum rg_vocabulary v, const char *word, char out[160]);
RG_END_DECLS
#endif
