/* The glue between paramcheck and MONA: see shim.h for the contract. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "BDD/bdd.h"
#include "BDD/bdd_internal.h"
#include "DFA/dfa.h"
#include "GTA/gta.h"
#include "Mem/mem.h"

#include "shim.h"

/* MONA's front end owns this; we stand in its place. */
Guide guide;

static DFA *dfa(const pc_dfa *a) { return (DFA *)a; }
static GTA *gta(const pc_gta *a) { return (GTA *)a; }
static bdd_manager *manager(pc_manager *m) { return (bdd_manager *)m; }

/* ---- the limit of 2^24 nodes ----
 *
 * A node's children are 24-bit numbers. MONA checks that when it makes a table and, too late, when a
 * hashed one has grown; a table that is filled in order may grow past the limit unseen, and children
 * lose their high bits: a wrong automaton. build.rs makes bdd.c call these two instead of MONA's own.
 */

static void out_of_nodes(void) {
  printf("\nBDD too large: a diagram needs more than %d nodes\n", BDD_MAX_TOTAL_TABLE_SIZE);
  fflush(stdout);
  _Exit(PC_EXIT_NODES);
}

void pc_double_table_sequential(bdd_manager *bddm);
void pc_double_table_and_cache_hashed(bdd_manager *bddm, unsigned *some_roots,
                                      void (*update_fn)(unsigned (*new_place)(unsigned node)),
                                      unsigned *p_of_find, unsigned *q_of_find, boolean rehash_p_and_q);

void pc_double_table_sequential(bdd_manager *bddm) {
  if (bddm->table_total_size > BDD_MAX_TOTAL_TABLE_SIZE - bddm->table_size)
    out_of_nodes();
  double_table_sequential(bddm);
}

void pc_double_table_and_cache_hashed(bdd_manager *bddm, unsigned *some_roots,
                                      void (*update_fn)(unsigned (*new_place)(unsigned node)),
                                      unsigned *p_of_find, unsigned *q_of_find, boolean rehash_p_and_q) {
  /* Beside 2^k hashed places there are never more than 2^k in the overflow area before a table
     doubles, for each place there holds a node but one per chain. So 2^23 is the last safe size. */
  if (bddm->table_size >= BDD_MAX_TOTAL_TABLE_SIZE / 2)
    out_of_nodes();
  double_table_and_cache_hashed(bddm, some_roots, update_fn, p_of_find, q_of_find, rehash_p_and_q);
}

/* ---- start ---- */

void pc_start(void) {
  char **name;
  /* MONA's message before it aborts must not stay in a buffer. */
  setvbuf(stdout, NULL, _IONBF, 0);
  bdd_init();
  /* The guide keeps the names: they are never freed. */
  name = (char **)mem_alloc(sizeof(char *));
  name[0] = (char *)mem_alloc(2);
  strcpy(name[0], "u");
  makeDefaultGuide(1, name);
}

/* ---- words ---- */

static DFA *minimal_dfa(DFA *a) {
  DFA *b = dfaMinimize(a);
  dfaFree(a);
  return b;
}

pc_dfa *pc_dfa_basic(unsigned relation, unsigned i, unsigned j, unsigned n) {
  DFA *a = NULL;
  switch (relation) {
  case PC_FIRST_ORDER: a = dfaFirstOrder(i); break;
  case PC_ROOT: a = dfaConst(0, i); break;
  case PC_SAME_NODE: a = dfaEq1(i, j); break;
  case PC_CHILD: a = n >= 1 ? dfaPlus1(i, j, n) : NULL; break;
  case PC_MEMBER: a = i != j ? dfaIn(i, j) : NULL; break;
  case PC_SUBSET: a = dfaSubset(i, j); break;
  case PC_SAME_SET: a = dfaEq2(i, j); break;
  }
  return (pc_dfa *)(a ? minimal_dfa(a) : NULL);
}

void pc_dfa_free(pc_dfa *a) { dfaFree(dfa(a)); }
pc_dfa *pc_dfa_copy(pc_dfa *a) { return (pc_dfa *)dfaCopy(dfa(a)); }

pc_dfa *pc_dfa_product(pc_dfa *a, pc_dfa *b, unsigned table) {
  return (pc_dfa *)minimal_dfa(dfaProduct(dfa(a), dfa(b), (dfaProductType)table));
}

pc_dfa *pc_dfa_project(pc_dfa *a, unsigned i) {
  DFA *from = dfa(a), *to;
  size_t size = sizeof(*from->f) * from->ns;
  /* The quotient changes the statuses in place; the caller may need the automaton again. */
  int *kept = (int *)mem_alloc(size);
  memcpy(kept, from->f, size);
  dfaRightQuotient(from, i);
  to = dfaProject(from, i);
  memcpy(from->f, kept, size);
  mem_free(kept);
  return (pc_dfa *)minimal_dfa(to);
}

void pc_dfa_negate(pc_dfa *a) { dfaNegation(dfa(a)); }
void pc_dfa_restrict(pc_dfa *a) { dfaRestrict(dfa(a)); }
void pc_dfa_rename(pc_dfa *a, unsigned *map) { dfaReplaceIndices(dfa(a), (int *)map); }
unsigned pc_dfa_states(const pc_dfa *a) { return dfa(a)->ns; }
unsigned pc_dfa_nodes(const pc_dfa *a) { return bdd_size(dfa(a)->bddm); }
unsigned pc_dfa_start(const pc_dfa *a) { return dfa(a)->s; }
int pc_dfa_status(const pc_dfa *a, unsigned state) { return dfa(a)->f[state]; }
pc_manager *pc_dfa_manager(const pc_dfa *a) { return (pc_manager *)dfa(a)->bddm; }
unsigned pc_dfa_diagram(const pc_dfa *a, unsigned state) { return dfa(a)->q[state]; }

/* ---- trees ---- */

static GTA *minimal_gta(GTA *a) {
  GTA *b = gtaMinimize(a);
  gtaFree(a);
  return b;
}

/* A set of all state spaces (there is one); basic automata free the sets they are given. */
static SSSet everywhere(void) {
  SSSet set = (SSSet)mem_alloc(guide.numSs);
  memset(set, 1, guide.numSs);
  return set;
}

pc_gta *pc_gta_basic(unsigned relation, unsigned i, unsigned j, unsigned n) {
  GTA *a = NULL;
  if (relation == PC_MEMBER && i == j)
    return NULL;
  switch (relation) {
  case PC_FIRST_ORDER: a = gtaFirstOrder(i, everywhere()); break;
  case PC_ROOT: a = gtaRoot(i, everywhere(), everywhere()); break;
  case PC_SAME_NODE: a = gtaEq1(i, j, everywhere(), everywhere()); break;
  case PC_CHILD:
    if (n == 0)
      a = gtaDot0(i, j, everywhere(), everywhere());
    else if (n == 1)
      a = gtaDot1(i, j, everywhere(), everywhere());
    break;
  case PC_MEMBER: a = gtaIn(i, j, everywhere(), everywhere()); break;
  case PC_SUBSET: a = gtaSub(i, j, everywhere(), everywhere()); break;
  case PC_SAME_SET: a = gtaEq2(i, j, everywhere(), everywhere()); break;
  }
  return (pc_gta *)(a ? minimal_gta(a) : NULL);
}

void pc_gta_free(pc_gta *a) { gtaFree(gta(a)); }
pc_gta *pc_gta_copy(pc_gta *a) { return (pc_gta *)gtaCopy(gta(a)); }

pc_gta *pc_gta_product(pc_gta *a, pc_gta *b, unsigned table) {
  return (pc_gta *)minimal_gta(gtaProduct(gta(a), gta(b), (gtaProductType)table));
}

pc_gta *pc_gta_project(pc_gta *a, unsigned i) {
  return (pc_gta *)minimal_gta(gtaQuotientAndProject(gta(a), i, 1));
}

void pc_gta_negate(pc_gta *a) { gtaNegation(gta(a)); }
void pc_gta_restrict(pc_gta *a) { gtaRestrict(gta(a)); }
void pc_gta_rename(pc_gta *a, unsigned *map) { gtaReplaceIndices(gta(a), map); }
unsigned pc_gta_states(const pc_gta *a) { return gta(a)->ss[0].size; }
unsigned pc_gta_nodes(const pc_gta *a) { return bdd_size(gta(a)->ss[0].bddm); }
unsigned pc_gta_start(const pc_gta *a) { return gta(a)->ss[0].initial; }
int pc_gta_status(const pc_gta *a, unsigned state) { return gta(a)->final[state]; }
pc_manager *pc_gta_manager(const pc_gta *a) { return (pc_manager *)gta(a)->ss[0].bddm; }

unsigned pc_gta_diagram(const pc_gta *a, unsigned left, unsigned right) {
  StateSpace *space = &gta(a)->ss[0];
  return BDD_ROOT(space->bddm, space->behaviour[(size_t)left * space->rs + right]);
}

/* ---- diagrams ---- */

int pc_is_leaf(pc_manager *m, unsigned node) { return bdd_is_leaf(manager(m), node); }
unsigned pc_leaf_state(pc_manager *m, unsigned node) { return bdd_leaf_value(manager(m), node); }
unsigned pc_track(pc_manager *m, unsigned node) { return bdd_ifindex(manager(m), node); }
unsigned pc_low(pc_manager *m, unsigned node) { return bdd_else(manager(m), node); }
unsigned pc_high(pc_manager *m, unsigned node) { return bdd_then(manager(m), node); }
