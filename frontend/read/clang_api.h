/* libclang, opened at run time: one table of its functions. */
#ifndef RG_FRONTEND_CLANG_API_H
#define RG_FRONTEND_CLANG_API_H
#include <clang-c/Index.h>
#include <rg/error.h>

#define RG__CLANG_MAP(X)                                                                                               \
    X(getClangVersion)                                                                                                 \
    X(createIndex)                                                                                                     \
    X(disposeIndex)                                                                                                    \
    X(parseTranslationUnit2)                                                                                           \
    X(disposeTranslationUnit)                                                                                          \
    X(getTranslationUnitCursor)                                                                                        \
    X(visitChildren)                                                                                                   \
    X(getNumDiagnostics)                                                                                               \
    X(getDiagnostic)                                                                                                   \
    X(disposeDiagnostic)                                                                                               \
    X(getDiagnosticSeverity)                                                                                           \
    X(getDiagnosticSpelling)                                                                                           \
    X(getDiagnosticLocation)                                                                                           \
    X(getCString)                                                                                                      \
    X(disposeString)                                                                                                   \
    X(getExpansionLocation)                                                                                            \
    X(getRangeStart)                                                                                                   \
    X(getRangeEnd)                                                                                                     \
    X(getCursorExtent)                                                                                                 \
    X(getCursorLocation)                                                                                               \
    X(getCursorKind)                                                                                                   \
    X(getCursorSpelling)                                                                                               \
    X(getCursorType)                                                                                                   \
    X(getCursorReferenced)                                                                                             \
    X(getCursorDefinition)                                                                                             \
    X(isCursorDefinition)                                                                                              \
    X(getNullCursor)                                                                                                   \
    X(equalCursors)                                                                                                    \
    X(Cursor_isNull)                                                                                                   \
    X(Cursor_getStorageClass)                                                                                          \
    X(Cursor_isAnonymous)                                                                                              \
    X(getCursorSemanticParent)                                                                                         \
    X(Cursor_isBitField)                                                                                               \
    X(getFieldDeclBitWidth)                                                                                            \
    X(Cursor_Evaluate)                                                                                                 \
    X(EvalResult_getKind)                                                                                              \
    X(EvalResult_getAsLongLong)                                                                                        \
    X(EvalResult_getAsDouble)                                                                                          \
    X(EvalResult_dispose)                                                                                              \
    X(getEnumConstantDeclValue)                                                                                        \
    X(getEnumDeclIntegerType)                                                                                          \
    X(getCanonicalType)                                                                                                \
    X(getTypeSpelling)                                                                                                 \
    X(getPointeeType)                                                                                                  \
    X(getArrayElementType)                                                                                             \
    X(getArraySize)                                                                                                    \
    X(getTypeDeclaration)                                                                                              \
    X(getResultType)                                                                                                   \
    X(isConstQualifiedType)                                                                                            \
    X(isVolatileQualifiedType)                                                                                         \
    X(isFunctionTypeVariadic)                                                                                          \
    X(Type_getSizeOf)                                                                                                  \
    X(Type_visitFields)                                                                                                \
    X(Cursor_getOffsetOfField)

struct rg__clang {
#define X(name) __typeof__(clang_##name) *name;
    RG__CLANG_MAP(X)
#undef X
};

/* The table, loaded once a process; RG_UNAVAILABLE says what to install. */
enum rg_status rg__clang_load(const struct rg__clang **out, struct rg_error *err);
#endif
