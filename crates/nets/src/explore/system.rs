//! What can be explored: transition systems whose states are packed into words of 64 bits.
//!
//! [`TransitionSystem`] is all that the engine knows: initial states, and the successors of a state, each by
//! a numbered action. What an action is called, and what a state means, is the caller's. Petri nets of
//! instances are one implementation (`petri`); a program with guarded commands over small fields is another:
//! pack program counters and data into words, and give each command its number. A guard "these bits have this
//! value" is `state & mask == value`, an update of bits whose old value the guard fixes is one exclusive or.
//!
//! A state's size is fixed at compile time where it is small (`[u64; N]`, so that comparing, hashing and
//! copying are a few instructions); [`Wide`] is for those of any size.

/// A packed state. Its order is that of its words, the first one most significant: it decides which of
/// several equally short traces is given (the greatest, see `engine`).
pub trait State: Clone + Eq + Ord + Send + Sync {
    /// The difference of two states; for wide states only where they differ.
    type Delta: Clone + std::fmt::Debug + Send + Sync;

    /// The state whose `words` words (at most as many as the type has, if that is fixed) are all zero.
    fn zero(words: usize) -> Self;

    /// Its words.
    fn words(&self) -> &[u64];

    /// Its words, to be changed.
    fn words_mut(&mut self) -> &mut [u64];

    /// The difference that changes the bits given per word.
    fn delta(bits: &[(usize, u64)]) -> Self::Delta;

    /// The state with the bits of `delta` changed.
    fn changed(&self, delta: &Self::Delta) -> Self;

    /// Bytes used beside the value itself.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// A hash of all words, in which every bit is as good as any other. The same in every run.
    fn hash(&self) -> u64 {
        // Successors differ in few bits; one step alone would send those of neighbours the same way.
        mix(self.words().iter().fold(0x243f_6a88_85a3_08d3, |hash, &word| mix(hash ^ word)))
    }
}

/// One step of hashing: both halves of a product, folded.
fn mix(word: u64) -> u64 {
    let product = u128::from(word) * 0x9e37_79b9_7f4a_7c15;
    (product as u64) ^ ((product >> 64) as u64)
}

impl<const N: usize> State for [u64; N] {
    type Delta = [u64; N];

    fn zero(words: usize) -> Self {
        debug_assert!(words <= N);
        [0; N]
    }

    fn words(&self) -> &[u64] {
        self
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self
    }

    fn delta(bits: &[(usize, u64)]) -> Self {
        let mut delta = [0; N];
        for &(word, bits) in bits {
            delta[word] ^= bits;
        }
        delta
    }

    fn changed(&self, delta: &Self) -> Self {
        let mut state = *self;
        for (word, bits) in state.iter_mut().zip(delta) {
            *word ^= bits;
        }
        state
    }
}

/// A state of any number of words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wide(Box<[u64]>);

impl State for Wide {
    type Delta = Box<[(usize, u64)]>;

    fn zero(words: usize) -> Self {
        Wide(vec![0; words].into())
    }

    fn words(&self) -> &[u64] {
        &self.0
    }

    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    fn delta(bits: &[(usize, u64)]) -> Self::Delta {
        bits.into()
    }

    fn changed(&self, delta: &Self::Delta) -> Self {
        let mut state = self.clone();
        for &(word, bits) in delta {
            state.0[word] ^= bits;
        }
        state
    }

    fn heap_bytes(&self) -> usize {
        // What an allocation of this size takes, about.
        self.0.len() * 8 + 8
    }
}

/// Evaluates an expression with a name for the type of states of this many words:
/// `with_width!(words, S => explore::<S>(…))`. Each width has code of its own.
#[macro_export]
macro_rules! with_width {
    ($words:expr, $state:ident => $body:expr) => {
        match $words {
            1 => {
                type $state = [u64; 1];
                $body
            }
            2 => {
                type $state = [u64; 2];
                $body
            }
            3 | 4 => {
                type $state = [u64; 4];
                $body
            }
            _ => {
                type $state = $crate::explore::system::Wide;
                $body
            }
        }
    };
}

pub(crate) use with_width;

/// A transition system with finitely many actions, explored from its initial states.
///
/// Its functions of a state must depend on nothing but the state: the engine calls them again, on several
/// threads and in any order.
pub trait TransitionSystem: Sync {
    /// Its states.
    type State: State;
    /// Memory that is used again from one state to the next; each thread has its own.
    type Scratch: Default;

    /// The initial states; repetitions do no harm.
    fn initial(&self) -> Vec<Self::State>;

    /// Calls `each` with every enabled action of `state`, ascending, and the state it leads to, and gives
    /// their number. An action with several outcomes comes several times.
    ///
    /// Partial-order reduction, as far as it keeps every state and its distance: `last` may be an action that
    /// leads here from a state that is nearer to the initial ones. If so, an action t may be left out (but
    /// not of the number) if the state it leads to
    ///
    /// - is also reached from a state no further away than this one by an action of a greater number; or
    /// - is no further away than this one.
    ///
    /// The first holds if t < `last` and the two are *independent*: t was enabled there too, and `last` after
    /// t leads where t leads now. Nothing is lost by it: of all actions that lead to a state from the level
    /// before, the one with the greatest number is never left out. Where many components are concurrent, this
    /// leaves one interleaving of many to each state (as sleep sets do in depth-first search).
    fn successors(
        &self,
        state: &Self::State,
        last: Option<u32>,
        scratch: &mut Self::Scratch,
        each: &mut impl FnMut(u32, Self::State),
    ) -> usize;

    /// The same, as long as `each` returns `true`; then the number is no matter. Worth its own code where making
    /// a successor is much work.
    fn successors_while(
        &self,
        state: &Self::State,
        last: Option<u32>,
        scratch: &mut Self::Scratch,
        each: &mut impl FnMut(u32, Self::State) -> bool,
    ) -> usize {
        let mut goes_on = true;
        self.successors(state, last, scratch, &mut |action, next| goes_on = goes_on && each(action, next))
    }

    /// The number that [`TransitionSystem::successors`] returns, for where the successors are not wanted.
    fn successor_count(&self, state: &Self::State, scratch: &mut Self::Scratch) -> usize {
        self.successors(state, None, scratch, &mut |_, _| {})
    }

    /// Called with the number of states found when the search goes on: what makes large searches quicker may
    /// be prepared.
    fn expect_more(&self, found: usize) {
        let _ = found;
    }

    /// States among which are all that have `state` as a successor, if these are cheap to compute. It makes
    /// traces quick; nothing else uses it.
    fn possible_predecessors(&self, state: &Self::State) -> Option<Vec<Self::State>> {
        let _ = state;
        None
    }

    /// How much work a state is, in some dozens of instructions: limits are checked accordingly.
    fn weight(&self) -> usize {
        1
    }
}

/// A predicate of a state and of whether that is dead.
type Predicate<'a, S> = dyn Fn(&S, bool) -> Option<bool> + Sync + 'a;

/// A property of single states that is searched for.
pub struct Goal<'a, S> {
    holds: Box<Predicate<'a, S>>,
    in_dead_only: bool,
}

impl<'a, S> Goal<'a, S> {
    /// The second argument of `holds` is whether the state is dead, that is, has no successor. `None` where
    /// it can't be decided.
    pub fn new(holds: impl Fn(&S, bool) -> Option<bool> + Sync + 'a) -> Self {
        Goal { holds: Box::new(holds), in_dead_only: false }
    }

    /// One that holds in dead states only, and is decided everywhere.
    pub fn of_dead(holds: impl Fn(&S) -> bool + Sync + 'a) -> Self {
        Goal { holds: Box::new(move |state, is_dead| Some(is_dead && holds(state))), in_dead_only: true }
    }

    /// Whether it holds; `None` where that can't be decided.
    #[inline]
    pub(crate) fn holds(&self, state: &S, is_dead: bool) -> Option<bool> {
        // Most states are not dead, and most goals are about dead ones.
        if self.in_dead_only && !is_dead { Some(false) } else { (self.holds)(state, is_dead) }
    }
}
