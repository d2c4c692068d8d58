// All states of flock.labs with three birds that take turns, by the papers' rules, as one writes it by hand for this
// model: a peer of `explore`. Usage: flock GRID DELTA. Prints how many states and transitions there are.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_set>
#include <vector>

static const int N = 3;
static int grid, delta;

struct State {
    int x[N], y[N], dirx[N], diry[N], rank[N];
    bool confirm[N], propagate[N];
    int turn;
};

static uint64_t pack(const State &s) {
    uint64_t word = s.turn;
    for (int i = 0; i < N; i++) {
        word = word << 4 | s.x[i];
        word = word << 4 | s.y[i];
        word = word << 6 | (s.dirx[i] > 0) << 5 | (s.diry[i] > 0) << 4 | s.rank[i] << 2 | s.confirm[i] << 1 | s.propagate[i];
    }
    return word;
}

static State unpack(uint64_t word) {
    State s{};
    for (int i = N; i-- > 0;) {
        s.dirx[i] = word >> 5 & 1 ? 1 : -1;
        s.diry[i] = word >> 4 & 1 ? 1 : -1;
        s.rank[i] = word >> 2 & 3;
        s.confirm[i] = word >> 1 & 1;
        s.propagate[i] = word & 1;
        word >>= 6;
        s.y[i] = word & 15, word >>= 4;
        s.x[i] = word & 15, word >>= 4;
    }
    s.turn = int(word);
    return s;
}

static void close_gaps(State &s) {
    int used = 0;
    for (int i = 0; i < N; i++) used |= 1 << s.rank[i];
    for (int i = 0; i < N; i++) s.rank[i] = __builtin_popcount(used & ((1 << s.rank[i]) - 1));
}

static bool hears(const State &s, int i, int j) {
    const int dx = s.x[i] - s.x[j], dy = s.y[i] - s.y[j];
    return dx * dx + dy * dy <= delta * delta;
}

static void send(State &s, int from, bool is_confirm) {
    const int rank = s.rank[from];
    (is_confirm ? s.confirm : s.propagate)[from] = false;
    for (int j = 0; j < N; j++) {
        if (j == from || !hears(s, from, j)) continue;
        if (s.rank[j] < rank) {
            s.dirx[j] = s.dirx[from], s.diry[j] = s.diry[from];
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
    grid = argc > 1 ? atoi(argv[1]) : 5;
    delta = argc > 2 ? atoi(argv[2]) : 5;
    if (grid < 1 || grid > 15) return 2;
    std::unordered_set<uint64_t> known;
    std::vector<uint64_t> open;
    uint64_t transitions = 0;
    auto reach = [&](const State &s) {
        if (known.insert(pack(s)).second) open.push_back(pack(s));
    };
    int places = 1;
    for (int i = 0; i < 2 * N; i++) places *= grid;
    for (int place = 0; place < places; place++)
        for (int directions = 0; directions < 1 << 2 * N; directions++) {
            State s{};
            int rest = place;
            for (int i = 0; i < N; i++) {
                s.x[i] = rest % grid, rest /= grid;
                s.y[i] = rest % grid, rest /= grid;
                s.dirx[i] = directions >> 2 * i & 1 ? 1 : -1;
                s.diry[i] = directions >> 2 * i & 2 ? 1 : -1;
                s.rank[i] = i;
            }
            reach(s);
        }
    while (!open.empty()) {
        const State s = unpack(open.back());
        open.pop_back();
        const int i = s.turn;
        if (!s.confirm[i] && !s.propagate[i]) {
            State next = s;
            next.x[i] = (s.x[i] + s.dirx[i] + grid) % grid;
            next.y[i] = (s.y[i] + s.diry[i] + grid) % grid;
            next.confirm[i] = true;
            next.turn = (i + 1) % N;
            transitions++;
            reach(next);
        }
        for (int j = 0; j < N; j++)
            for (bool is_confirm : {true, false}) {
                if (!(is_confirm ? s.confirm : s.propagate)[j]) continue;
                State next = s;
                send(next, j, is_confirm);
                transitions++;
                reach(next);
            }
    }
    printf("%zu states, %llu transitions\n", known.size(), (unsigned long long)transitions);
}
