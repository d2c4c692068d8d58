// All states of leader.labs by the papers' rules, as one writes it by hand for this model: a peer of `explore`.
// Usage: leader N. Prints how many states and transitions there are.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_set>
#include <vector>

static int n;

struct State {
    int leader[8], rank[8];
    bool confirm[8], propagate[8];
};

static uint64_t pack(const State &s) {
    uint64_t word = 0;
    for (int i = 0; i < n; i++)
        word = word << 8 | uint64_t(s.leader[i]) << 5 | uint64_t(s.rank[i]) << 2 | s.confirm[i] << 1 | s.propagate[i];
    return word;
}

static State unpack(uint64_t word) {
    State s{};
    for (int i = n; i-- > 0; word >>= 8) {
        s.leader[i] = word >> 5 & 7;
        s.rank[i] = word >> 2 & 7;
        s.confirm[i] = word >> 1 & 1;
        s.propagate[i] = word & 1;
    }
    return s;
}

// Ranks without gaps, so that equal orders are equal states.
static void close_gaps(State &s) {
    int used = 0;
    for (int i = 0; i < n; i++) used |= 1 << s.rank[i];
    for (int i = 0; i < n; i++) s.rank[i] = __builtin_popcount(used & ((1 << s.rank[i]) - 1));
}

static void send(State &s, int from, bool is_confirm) {
    const int rank = s.rank[from];
    (is_confirm ? s.confirm : s.propagate)[from] = false;
    for (int j = 0; j < n; j++) {
        if (j == from) continue;
        if (s.rank[j] < rank) {
            s.leader[j] = s.leader[from];
            s.rank[j] = rank;
            s.confirm[j] = false;
            s.propagate[j] = true;
        } else if (is_confirm) {
            s.propagate[j] = true;
        }
    }
    close_gaps(s);
}

int main(int argc, char **argv) {
    n = argc > 1 ? atoi(argv[1]) : 5;
    if (n < 1 || n > 7) return 2;
    State first{};
    for (int i = 0; i < n; i++) first.leader[i] = n, first.rank[i] = i;
    std::unordered_set<uint64_t> known{pack(first)};
    std::vector<uint64_t> open{pack(first)};
    uint64_t transitions = 0;
    auto reach = [&](const State &s) {
        transitions++;
        if (known.insert(pack(s)).second) open.push_back(pack(s));
    };
    while (!open.empty()) {
        const State s = unpack(open.back());
        open.pop_back();
        for (int i = 0; i < n; i++) {
            if (!s.confirm[i] && !s.propagate[i] && s.leader[i] > i) {
                State next = s;
                next.leader[i] = i;
                next.rank[i] = n;
                close_gaps(next);
                next.confirm[i] = next.propagate[i] = true;
                reach(next);
            }
            for (bool is_confirm : {true, false}) {
                if (!(is_confirm ? s.confirm : s.propagate)[i]) continue;
                State next = s;
                send(next, i, is_confirm);
                reach(next);
            }
        }
    }
    printf("%zu states, %llu transitions\n", known.size(), (unsigned long long)transitions);
}
