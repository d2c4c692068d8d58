//! Kinds about calls and files of processes (`E05..`).

use crate::diagnostic::{Code, CodeInfo, Severity};

kinds! { ALL:
    NO_SUCH_CHECK = Error "E0501" "question about a check that does not exist" {
        "`--check NAME` asks about a check of the file. One without a name is called `deadlock`."
        wrong { "paramcheck verify examples/ccs/2pc.ccs --check donne" }
        right { "paramcheck verify examples/ccs/2pc.ccs --check done" }
    }
    OTHER_KIND_OF_FILE = Error "E0502" "file of another kind" {
        "`verify` and `emulate` read processes (.ccs) and choreographies (.chor); what is to be read from\n\
         elsewhere, as standard input, is named with `--language`. Rewriting systems are checked without a\n\
         command; of one of their instances, chosen by `--size` or `--tree`, `verify` and `emulate` know too."
        wrong { "paramcheck verify examples/ring.rs" }
        right { "paramcheck examples/ring.rs" "paramcheck verify examples/ccs/2pc.ccs" }
    }
    NOT_A_CHOREOGRAPHY = Error "E0503" "only choreographies have peers" {
        "`--as peers` prints the projections of a choreography."
        wrong { "paramcheck emulate examples/ccs/2pc.ccs --as peers" }
        right { "paramcheck emulate examples/chor/stock.chor --as peers" }
    }
    TOO_LARGE = Error "E0504" "states or triples that are too many" {
        "The states of the system are more than the limits allow, or its triples more than are of any use.\n\
         What is printed is always the whole; so nothing is."
        wrong { "paramcheck emulate FILE --as lts --max-states 10" }
        right { "paramcheck emulate FILE --as lts --max-states 1000000" }
    }
    MISSING_BACKEND = Error "E0507" "a back end whose programs are not there" {
        "`--backend NAME` has another program answer. It is looked for in the folders of the environment variable\n\
         PARAMCHECK_TOOLS, then in those of PATH. `--backend all` asks those that are there."
        wrong { "paramcheck verify examples/ccs/2pc.ccs --backend spin      (without Spin)" }
        right { "paramcheck verify examples/ccs/2pc.ccs --backend all" "paramcheck verify examples/ccs/2pc.ccs" }
    }
    NOT_IN_THE_PAPER = Error "E0508" "what the paper's tables can't translate" {
        "`--paper` prints triples as Tables 5 and 6 of the paper make them. These know no loop of choreographies\n\
         and no choice with a parallel operand; what is very large or deep is not printed either."
        wrong { "paramcheck emulate examples/chor/stock.chor --as triples --paper" }
        right { "paramcheck emulate examples/chor/stock.chor --as triples" "paramcheck emulate examples/ccs/2pc.ccs --as triples --paper" }
    }
}
