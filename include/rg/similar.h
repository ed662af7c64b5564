/* "Did you mean": the known word that is nearest to one that is not known. */
#ifndef RG_SIMILAR_H
#define RG_SIMILAR_H
/* Edits that make one word of the other: insertions, deletions, substitutions and swaps of neighbours (optimal string
 * alignment); case does not count. Cost O(len a x len b); of longer words than 63 only the first 63 characters are
 * looked at. */
int rg_edit_distance(const char *a, const char *b);
/* Of known[0..n) the nearest within a third of the word's length (at least one edit, where it has more than one
 * letter), the first of equals; or one that the word is the beginning or end of, from three letters on. NULL: none is
 * near. NULLs among them are passed over. */
const char *rg_similar(const char *word, const char *const *known, int n);
/* The same as text for the end of a message: "; did you mean 'x'?", or "". */
const char *rg_did_you_mean(const char *word, const char *const *known, int n, char out[160]);
#endif
