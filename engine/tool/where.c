/* Where the hypotheses are, seen from the command's own folder: beside it where it is
 * built; install.mk compiles this file once more and says where it puts them. */
#include "hypotheses.h"

#ifndef NDL_HYPOTHESES_FROM_HERE
#define NDL_HYPOTHESES_FROM_HERE "hypotheses"
#endif

const char hypotheses_from_here[] = NDL_HYPOTHESES_FROM_HERE;
