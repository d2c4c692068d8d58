/* What paramcheck calls of MONA: the only header that bindgen reads.
 *
 * Automata are words (DFA, one successor) or trees (guided tree automata over one universe, two
 * successors). A state's status is 1 (accept), -1 (reject) or 0 (don't care: some first-order track is
 * no single node). Tracks are numbered from 0 and lie in the diagrams in that order.
 *
 * MONA keeps everything in static variables: one thread of one process may call this, after
 * pc_start(). None of these functions reports failure; where MONA fails the process ends:
 * status PC_EXIT_NODES for a diagram past its nodes, SIGABRT for a failed check inside MONA,
 * status 255 for memory. Its words are on standard output, unbuffered.
 */
#ifndef PARAMCHECK_MONA_SHIM_H
#define PARAMCHECK_MONA_SHIM_H

enum { PC_EXIT_NODES = 91, PC_MAX_TRACK = 0xfffe };

/* A diagram manager, a word automaton, a tree automaton. */
typedef struct pc_manager pc_manager;
typedef struct pc_dfa pc_dfa;
typedef struct pc_gta pc_gta;

/* Relations that have an automaton of their own; i and j are different tracks. */
enum {
  PC_FIRST_ORDER, /* track i is a node */
  PC_ROOT,        /* node i is the root */
  PC_SAME_NODE,   /* node i = node j */
  PC_CHILD,       /* node i = child n of node j: trees, n is 0 or 1; words: node j + n, n >= 1 */
  PC_MEMBER,      /* node i in set j */
  PC_SUBSET,      /* set i in set j */
  PC_SAME_SET     /* set i = set j */
};

/* Once, before anything else. */
void pc_start(void);

/* A new automaton (NULL: no such relation). */
pc_dfa *pc_dfa_basic(unsigned relation, unsigned i, unsigned j, unsigned n);
void pc_dfa_free(pc_dfa *a);
pc_dfa *pc_dfa_copy(pc_dfa *a);
/* A new, minimal automaton: bit 2x+y of `table` is the value for x of a and y of b. */
pc_dfa *pc_dfa_product(pc_dfa *a, pc_dfa *b, unsigned table);
/* A new, minimal automaton: track i forgotten, existentially. */
pc_dfa *pc_dfa_project(pc_dfa *a, unsigned i);
/* In place: exchange accept and reject. */
void pc_dfa_negate(pc_dfa *a);
/* In place: reject becomes don't care. */
void pc_dfa_restrict(pc_dfa *a);
/* In place: track t becomes map[t]; the order of the tracks in use must stay. */
void pc_dfa_rename(pc_dfa *a, unsigned *map);
unsigned pc_dfa_states(const pc_dfa *a);
unsigned pc_dfa_nodes(const pc_dfa *a);
unsigned pc_dfa_start(const pc_dfa *a);
int pc_dfa_status(const pc_dfa *a, unsigned state);
pc_manager *pc_dfa_manager(const pc_dfa *a);
/* The diagram of a state's successors. */
unsigned pc_dfa_diagram(const pc_dfa *a, unsigned state);

/* The same for trees. */
pc_gta *pc_gta_basic(unsigned relation, unsigned i, unsigned j, unsigned n);
void pc_gta_free(pc_gta *a);
pc_gta *pc_gta_copy(pc_gta *a);
pc_gta *pc_gta_product(pc_gta *a, pc_gta *b, unsigned table);
pc_gta *pc_gta_project(pc_gta *a, unsigned i);
void pc_gta_negate(pc_gta *a);
void pc_gta_restrict(pc_gta *a);
void pc_gta_rename(pc_gta *a, unsigned *map);
unsigned pc_gta_states(const pc_gta *a);
unsigned pc_gta_nodes(const pc_gta *a);
/* The state of the empty tree. */
unsigned pc_gta_start(const pc_gta *a);
int pc_gta_status(const pc_gta *a, unsigned state);
pc_manager *pc_gta_manager(const pc_gta *a);
/* The diagram of the states of a node whose children are in these states. */
unsigned pc_gta_diagram(const pc_gta *a, unsigned left, unsigned right);

/* Diagrams: a node is a leaf with a state or tests a track. */
int pc_is_leaf(pc_manager *m, unsigned node);
unsigned pc_leaf_state(pc_manager *m, unsigned node);
unsigned pc_track(pc_manager *m, unsigned node);
unsigned pc_low(pc_manager *m, unsigned node);
unsigned pc_high(pc_manager *m, unsigned node);

#endif
