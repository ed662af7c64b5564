/* What saved problems are written with and read by. */
#ifndef RG_BASE_PROBLEM_WORDS_H
#define RG_BASE_PROBLEM_WORDS_H

#define RG__PROBLEM_FORMAT "regraph-problem/1"

/* The text members, in file order: name, field, may be null. */
/* clang-format off */
#define RG__PROBLEM_TEXTS(X) \
    X(function, 0) X(file, 0) X(prototype, 0) X(return_c, 0) X(function_source, 0) X(context_source, 0) \
    X(device_decls, 0) X(reference_c, 0) X(oracle_c, 1) X(oracle_why, 0) X(host_decls, 0) X(cflags, 0) \
    X(init_function, 1) X(tree_json, 1)
/* clang-format on */

/* Only where they are set. */
#define RG__PROBLEM_MORE_TEXTS(X) X(auto_decls) X(reached) X(size_note) X(init_note) X(extent_note) X(assumed) X(places)

/* Words of enums; each list ends with NULL. */
extern const char *const rg__problem_roles[],
    *const rg__problem_origins[], *const rg__problem_kinds[], *const rg__problem_oracles[], *const rg__problem_inputs[];
#endif
