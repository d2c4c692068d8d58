//! The table of all kinds of diagnostics: code, severity and title of each.
//!
//! What `paramcheck explain` prints of a kind is in `codes/CODE.md` beside `src`: a paragraph or two, then a
//! small wrong and a small right example. Tests read the examples of languages: the wrong one gives exactly
//! this code, the right one none. Codes are never reused.

use super::Code;

/// Declares kinds and lists them: name, severity, code, title.
macro_rules! kinds {
    ($list:ident: $($name:ident = $severity:ident $id:literal $title:literal;)*) => {
        $(
            #[doc = concat!($id, ": ", $title, ".")]
            pub static $name: CodeInfo = CodeInfo {
                id: $id,
                severity: Severity::$severity,
                title: $title,
                explanation: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/codes/", $id, ".md")),
            };
        )*
        /// These kinds, in the order of their codes.
        pub const $list: &[Code] = &[$(&$name),*];
    };
}

/// Calls and files, before and after reading (`E00..`).
pub mod input {
    use crate::diagnostic::{Code, CodeInfo, Severity};

    kinds! { ALL:
        UNREADABLE = Error "E0001" "input that cannot be read";
        NOT_UTF8 = Error "E0002" "input that is not UTF-8";
        TOO_LARGE = Error "E0003" "input that is too large";
        NO_SUCH_ERROR = Error "E0004" "question about an error that does not exist";
        UNWRITABLE = Error "E0005" "output that cannot be written";
        BUG = Error "E0006" "bug in paramcheck";
        NO_FORMULA = Error "E0007" "question that has no formula";
        NO_SUCH_TREE = Error "E0008" "rewriting tree that the system does not have";
        UNDRAWABLE = Error "E0009" "picture that would not be legible";
        BAD_MARKING = Error "E0010" "marking that the instance does not have";
        BAD_TRACE = Error "E0012" "trace that cannot be read";
        NO_INSTANCE = Error "E0013" "instance that does not exist";
        NOT_WRITABLE = Error "E0014" "error that cannot be written for another program";
        BAD_CERTIFICATE = Error "E0015" "certificate that cannot be read";
        BAD_CANDIDATE = Error "E0016" "candidate that cannot be used";
        BAD_EXPECTATIONS = Error "E0019" "expected answers that cannot be read";
        NO_COMPONENT = Error "E0020" "component that the instance does not have";
    }
}

/// Reading (`E01..`). No warning is given while reading: what can be read has one meaning, and what may be
/// intended otherwise is known only after lowering.
pub mod syntax {
    use crate::diagnostic::{Code, CodeInfo, Severity};

    kinds! { ALL:
        UNREADABLE = Error "E0101" "unreadable text";
        UNTERMINATED_COMMENT = Error "E0102" "comment without end";
        UNTERMINATED_BLOCK = Error "E0103" "`wsks` formula without end";
        BAD_NUMBER = Error "E0104" "neither number nor name";
        NUMBER_TOO_LARGE = Error "E0105" "number too large";
        RESERVED_WORD = Error "E0106" "reserved word used as a name";
        NESTED_TOO_DEEP = Error "E0107" "formula nested too deep";
        TOO_MANY = Error "E0108" "further errors not shown";
        UNEXPECTED = Error "E0110" "unexpected text";
        MISSING_SEMICOLON = Error "E0111" "missing `;`";
        UNCLOSED_BRACKET = Error "E0112" "bracket without its partner";
        UNMATCHED_BRACKET = Error "E0113" "closing bracket without its partner";
        MISSING_COMMA = Error "E0114" "missing `,`";
        WRONG_ARROW = Error "E0115" "the arrow of a rule is `<-`";
        MISSING_DOT = Error "E0116" "missing `.` after `new`";
        MALFORMED_TRANSITION = Error "E0117" "malformed transition";
        NO_ATOMS = Error "E0118" "rule without atoms";
        BARE_ATOMS = Error "E0119" "several atoms need parentheses";
        BODY_ORDER = Error "E0120" "parts of a rule out of order";
        WRONG_SEPARATOR = Error "E0121" "wrong sign between ports or interactions";
        WRONG_COMPARISON = Error "E0122" "malformed comparison";
        WRONG_CONNECTIVE = Error "E0123" "connective spelled otherwise";
        UNKNOWN_ITEM = Error "E0124" "no such item";
        UNCOUNTED_STATE = Error "E0125" "count without `#`";
        MISSING_COLON = Error "E0126" "missing `:` behind a quantifier";
        WRONG_QUANTIFIER = Error "E0127" "no such quantifier";
        MALFORMED_CONDITION = Error "E0128" "malformed condition on components";
        MIXED_ARROWS = Error "E0129" "arrows that need parentheses";
        OTHER_LANGUAGE = Error "E0130" "text in another language";
    }
}

/// Giving a rewriting system its meaning (`E02..`, `W02..`).
pub mod model {
    /// The model has no meaning.
    pub mod errors {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            DUPLICATE_DEFINITION = Error "E0201" "a name is defined twice";
            UNKNOWN_ATOM = Error "E0202" "neither a component type nor a predicate with a rule";
            UNKNOWN_PORT = Error "E0203" "unknown port";
            UNKNOWN_STATE = Error "E0204" "unknown state";
            UNKNOWN_ERROR = Error "E0205" "unknown error";
            RESERVED_NAME = Error "E0206" "this name of an error is not free";
            PORT_AND_LINK = Error "E0207" "a name is a port and a link";
            NO_STATES = Error "E0208" "a component type without states";
            NO_INITIAL_STATE = Error "E0209" "nothing says where a component starts";
            INITIAL_OF_PREDICATE = Error "E0210" "initial states for a predicate";
            ARITY = Error "E0211" "wrong number of arguments";
            UNBOUND_VARIABLE = Error "E0212" "unbound variable";
            BOUND_TWICE = Error "E0213" "variable bound twice";
            REPEATED_VARIABLE = Error "E0214" "a variable is used twice where all must differ";
            NOT_CREATED = Error "E0215" "no component is created for a variable";
            CREATED_TWICE = Error "E0216" "two components would be created for one variable";
            MIXED_OWNERSHIP = Error "E0217" "a parameter is created in one rule and not in another";
            PORT_OF_OTHER_TYPE = Error "E0218" "no component that the variable can be has the port";
            STATE_OF_OTHER_TYPE = Error "E0219" "no component that the variable can be has the state";
            LINK_IN_INTERACTION = Error "E0220" "a link inside an interaction";
            CYCLIC_LINK = Error "E0221" "a link is defined by itself";
            CYCLIC_ERROR = Error "E0222" "an error is defined by itself";
            NOTHING_TO_VERIFY = Error "E0223" "there is no rule";
            SYSTEM_WITH_PARAMETERS = Error "E0224" "the system has parameters";
            SYSTEM_TWICE = Error "E0225" "several `system` declarations";
            UNKNOWN_SYSTEM = Error "E0226" "the system is no predicate with a rule";
            NO_FINITE_TREE = Error "E0227" "no finite system can be derived";
            TOO_LARGE = Error "E0229" "too large once abbreviations are replaced";
            QUALIFIED_PORT = Error "E0230" "a port named with its type";
            WRONG_ORDER = Error "E0231" "a component where a set is needed, or the reverse";
            AMBIGUOUS_SET = Error "E0232" "a name is a state and a component type";
        }
    }

    /// The model has a meaning, perhaps not the intended one.
    pub mod warnings {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            DUPLICATE_RULE = Warning "W0201" "a rule is written twice";
            DUPLICATE_INTERACTION = Warning "W0202" "an interaction or pattern is written twice";
            DUPLICATE_TRANSITION = Warning "W0203" "a transition is written twice";
            UNREACHABLE_PREDICATE = Warning "W0204" "a predicate occurs in no system";
            TYPE_NEVER_CREATED = Warning "W0205" "a component type is never instantiated";
            PORT_NEVER_USED = Warning "W0206" "a port is never used";
            LINK_NEVER_USED = Warning "W0207" "a link is never used";
            NEVER_FINAL = Warning "W0208" "a component type is never final";
            UNUSED_PARAMETER = Warning "W0209" "a parameter is never used";
            CONSTANT_COMPARISON = Warning "W0210" "a comparison that never changes";
            REPEATED_STATE = Warning "W0211" "a state is named twice in one list";
            UNUSED_VARIABLE = Warning "W0212" "a quantified variable is never used";
            HIDDEN_NAME = Warning "W0213" "a variable hides something of the same name";
            EXCLUDED = Warning "W0214" "conditions that exclude each other";
            NEVER_ENTERED = Warning "W0215" "a state that is never entered";
            NEVER_FIRES = Warning "W0216" "a port whose partner is never ready";
        }
    }
}

/// Processes and choreographies (`E03..` to `E05..`, `W04..`). An example is a choreography if it contains
/// `@`, otherwise CCS.
pub mod process {
    /// Reading (`E03..`).
    pub mod syntax {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            UNREADABLE = Error "E0301" "unreadable text in a process";
            UNTERMINATED_COMMENT = Error "E0302" "comment without end in a process file";
            BAD_NUMBER = Error "E0303" "neither number nor name in a process";
            BAD_COPIES = Error "E0304" "no number of copies";
            RESERVED_WORD = Error "E0305" "reserved word used as a name in a process file";
            NESTED_TOO_DEEP = Error "E0306" "process nested too deep";
            TOO_MANY = Error "E0307" "more errors than shown in a process file";
            UNEXPECTED = Error "E0308" "something else was expected in a process file";
            MISSING_SEMICOLON = Error "E0309" "missing `;` in a process file";
            UNCLOSED_BRACKET = Error "E0310" "bracket without its partner in a process file";
            UNMATCHED_BRACKET = Error "E0311" "closing bracket that nothing opened in a process file";
            MISSING_COMMA = Error "E0312" "missing comma in a process file";
            BARE_ACTION = Error "E0313" "action without a continuation";
            MIXED_PARALLEL = Error "E0314" "different parallel operators side by side";
            WRONG_CASE = Error "E0315" "capital and small letters";
            WRONG_OPERATOR = Error "E0316" "operator in another spelling";
            OTHER_LANGUAGE = Error "E0317" "construct of another language";
            MISPLACED_ACTION = Error "E0318" "co-action or `tau` where it can't stand";
            MALFORMED_CHECK = Error "E0319" "malformed check";
        }
    }

    /// Giving a process file its meaning (`E04..`, `W04..`).
    pub mod meaning {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            DUPLICATE_DEFINITION = Error "E0401" "a process or check is defined twice";
            UNKNOWN_CONSTANT = Error "E0402" "unknown process";
            NO_SYSTEM = Error "E0403" "no system";
            SECOND_SYSTEM = Error "E0404" "more than one system";
            UNKNOWN_ACTION = Error "E0405" "unknown action in a check";
            UNGUARDED_RECURSION = Error "E0406" "unguarded recursion";
            RECURSION_THROUGH_PARALLEL = Error "E0407" "recursion through a parallel composition";
            RECURSION_LEFT_OF_SEQUENCE = Error "E0408" "recursion on the left of `;`";
            RECURSION_UNDER_OPERATOR = Error "E0409" "recursion under a restriction or relabelling";
            RECURSION_IN_CHOREOGRAPHY = Error "E0410" "recursion in a choreography";
            SELF_COMMUNICATION = Error "E0411" "a peer that communicates with itself";
            RENAMED_TWICE = Error "E0412" "an action is relabelled twice";
            TOO_MANY_PEERS = Error "E0413" "too many peers";
            NO_PEER = Error "E0414" "a choreography without peers";
            UNUSED_CONSTANT = Warning "W0401" "a process is never used";
            IDLE_OPERATOR = Warning "W0402" "an operator names an action that does not occur";
            RESTRICTED_ACTION = Warning "W0403" "a check about an action that is restricted";
            CONSTANT_FORMULA = Warning "W0404" "a part of a check that never changes";
        }
    }

    /// Calls and files (`E05..`).
    pub mod calls {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            NO_SUCH_CHECK = Error "E0501" "question about a check that does not exist";
            OTHER_KIND_OF_FILE = Error "E0502" "file of another kind";
            NOT_A_CHOREOGRAPHY = Error "E0503" "only choreographies have peers";
            TOO_LARGE = Error "E0504" "states or triples that are too many";
            MISSING_BACKEND = Error "E0507" "a back end whose programs are not there";
            NOT_IN_THE_PAPER = Error "E0508" "what the paper's tables can't translate";
        }
    }
}

/// LAbS (`E06..`, `E07..`, `W07..`).
pub mod labs {
    /// Reading (`E06..`). No warning is given while reading.
    pub mod syntax {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            UNREADABLE = Error "E0601" "unreadable text in LAbS";
            BAD_NUMBER = Error "E0602" "neither number nor name in LAbS";
            NUMBER_TOO_LARGE = Error "E0603" "number too large in LAbS";
            RESERVED_WORD = Error "E0604" "reserved word used as a name in LAbS";
            NESTED_TOO_DEEP = Error "E0605" "process or expression nested too deep";
            TOO_MANY = Error "E0606" "more errors than shown in LAbS";
            UNEXPECTED = Error "E0607" "something else was expected in LAbS";
            UNCLOSED_BRACKET = Error "E0608" "bracket without its partner in LAbS";
            UNMATCHED_BRACKET = Error "E0609" "closing bracket that nothing opened in LAbS";
            MISSING_COMMA = Error "E0610" "missing comma in LAbS";
            MISSING_SEPARATOR = Error "E0611" "missing `;` in LAbS";
            WRONG_SEPARATOR = Error "E0612" "comma for semicolon, or the reverse";
            EXTRA_SEPARATOR = Error "E0613" "sign behind which nothing comes";
            WRONG_NAME = Error "E0614" "name of another form";
            WRONG_OPERATOR = Error "E0615" "operator of LAbS in another spelling";
            CHAINED_COMPARISON = Error "E0616" "chained comparison";
            NOT_BEFORE_COMPARISON = Error "E0617" "`!` before a comparison";
            BARE_CONDITION = Error "E0618" "condition that needs parentheses";
            OUTSIDE_BLOCK = Error "E0619" "`:=` or `pick` outside a block";
            WRONG_ARROW = Error "E0620" "assignment without its arrow";
            MISSING_ARROW = Error "E0621" "guard without `->`";
            NO_ASSIGNMENT = Error "E0622" "something else than an assignment in a block";
            WRONG_DEFINING_SIGN = Error "E0623" "`:` for `=`, or the reverse";
            WRONG_AGENT = Error "E0624" "no agent behind `of`";
            MALFORMED_QUANTIFIER = Error "E0625" "malformed or misplaced quantifier";
            MALFORMED_PROPERTY = Error "E0626" "malformed property";
            UNKNOWN_PART = Error "E0627" "no such section or part";
            PART_TWICE = Error "E0628" "part of a section given twice";
        }
    }

    /// Giving a system of agents its meaning (`E07..`, `W07..`).
    pub mod meaning {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            DUPLICATE = Error "E0701" "a name of a system of agents is defined twice";
            UNKNOWN_KIND = Error "E0702" "unknown kind of agents";
            UNKNOWN_STIGMERGY = Error "E0703" "unknown stigmergy";
            UNKNOWN_PROCESS = Error "E0704" "unknown process of agents";
            UNKNOWN_VARIABLE = Error "E0705" "unknown variable of agents";
            UNLISTED_STIGMERGY = Error "E0706" "variable of a stigmergy that the kind does not list";
            WRONG_ARROW = Error "E0707" "arrow that does not fit the variable";
            ASSIGNED_TWICE = Error "E0708" "variable assigned twice at once";
            WRONG_NUMBER = Error "E0709" "variables and values that differ in number";
            UNSET_LOCAL = Error "E0710" "local read before it is set";
            NO_BEHAVIOR = Error "E0711" "kind without a behaviour";
            UNGUARDED_CALL = Error "E0712" "process that calls itself before it acts";
            UNBOUNDED_RECURSION = Error "E0713" "process that leaves more and more to do";
            MISSING_PARAMETER = Error "E0714" "parameter without a value";
            UNKNOWN_PARAMETER = Error "E0715" "unknown parameter";
            UNKNOWN_AGENT = Error "E0716" "agent that nothing binds";
            MISSING_OF = Error "E0717" "variable without its agent";
            BAD_EXTENT = Error "E0718" "array that does not fit its use";
            NO_INITIAL_STATE = Error "E0719" "no initial state of agents";
            NOT_CONSTANT = Error "E0720" "constant that is none";
            NO_INITIAL_VALUE = Error "E0721" "variable without an initial value";
            NO_AGENTS = Error "E0722" "system without agents";
            MISPLACED = Error "E0723" "expression where it can't stand";
            TOO_LARGE = Error "E0724" "system of agents that is too large";
            NO_LINK = Error "E0725" "stigmergy without a link";
            OUT_OF_RANGE = Error "E0726" "initial value that leaves the range of numbers";
            SWALLOWED = Warning "W0701" "guard in front of more than it seems";
            WIDE_OF = Warning "W0702" "`of` that takes more than it seems";
            EMPTY_KIND = Warning "W0703" "quantifier over a kind without agents";
            LACKING_LINK = Warning "W0704" "link about a variable that a kind does not have";
        }
    }
}

/// R-CHECK (`E09..`, `E10..`, `W10..`).
pub mod rcheck {
    /// Reading (`E09..`). No warning is given while reading.
    pub mod syntax {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            UNREADABLE = Error "E0901" "unreadable text in R-CHECK";
            UNTERMINATED_COMMENT = Error "E0902" "comment without end in R-CHECK";
            BAD_NUMBER = Error "E0903" "neither number nor name in R-CHECK";
            NUMBER_TOO_LARGE = Error "E0904" "number too large in R-CHECK";
            RESERVED_WORD = Error "E0905" "reserved word used as a name in R-CHECK";
            NESTED_TOO_DEEP = Error "E0906" "formula or process nested too deep in R-CHECK";
            TOO_MANY = Error "E0907" "more errors than shown in R-CHECK";
            UNEXPECTED = Error "E0908" "something else was expected in R-CHECK";
            UNCLOSED_BRACKET = Error "E0909" "bracket without its partner in R-CHECK";
            MISSING_COMMA = Error "E0910" "missing comma in R-CHECK";
            OTHER_SYNTAX = Error "E0911" "construct of the other syntax of R-CHECK";
            CHAINED_COMPARISON = Error "E0912" "chained comparison in R-CHECK";
            UNKNOWN_PART = Error "E0913" "no such part of a file or agent in R-CHECK";
            WRONG_SIGN = Error "E0914" "another sign is needed in R-CHECK";
            PART_TWICE = Error "E0915" "part of an agent given twice, or missing";
            MALFORMED_QUANTIFIER = Error "E0916" "malformed quantifier in R-CHECK";
        }
    }

    /// Giving a system of reconfigurable agents its meaning (`E10..`, `W10..`).
    pub mod meaning {
        use crate::diagnostic::{Code, CodeInfo, Severity};

        kinds! { ALL:
            DUPLICATE = Error "E1001" "a name of a reconfigurable system is defined twice";
            UNKNOWN_NAME = Error "E1002" "unknown name in R-CHECK";
            UNKNOWN_TYPE = Error "E1003" "unknown type in R-CHECK";
            UNKNOWN_AGENT = Error "E1004" "unknown agent in R-CHECK";
            UNKNOWN_GUARD = Error "E1005" "unknown guard in R-CHECK";
            UNKNOWN_FIELD = Error "E1006" "an instance has no such variable or label";
            WRONG_TYPE = Error "E1007" "value of another type";
            NOT_A_CHANNEL = Error "E1008" "a command on what is no channel";
            MISPLACED_OPERATOR = Error "E1009" "temporal operator or observation outside a property";
            MISPLACED_NAME = Error "E1010" "name that has no value here";
            MISSING_RELABEL = Error "E1011" "an agent does not relabel a property variable";
            UNBOUNDED_INT = Error "E1012" "infinitely many initial values";
            WRONG_NUMBER = Error "E1013" "wrong number of arguments of a guard";
            CYCLIC_GUARD = Error "E1014" "a guard is defined by itself";
            ASSIGNED_TWICE = Error "E1015" "a variable is assigned twice at once";
            NOT_SENT = Error "E1016" "a message variable that the command does not send";
            EMPTY_RANGE = Error "E1017" "a range without values";
            NO_SYSTEM = Error "E1018" "no system of instances, or two";
            INT_PROPERTY = Error "E1019" "property variable with infinitely many values";
            TOO_LARGE = Error "E1020" "reconfigurable system that is too large";
            READ_OTHERWISE = Warning "W1001" "the published tool reads this otherwise";
            UNREACHABLE = Warning "W1002" "a command that is never reached";
            NO_INITIAL_STATE = Warning "W1003" "no initial state";
        }
    }
}

/// All kinds, in the order of their codes: errors of a part before its warnings.
pub fn all() -> impl Iterator<Item = Code> {
    let model = model::errors::ALL.iter().chain(model::warnings::ALL);
    let process = process::syntax::ALL.iter().chain(process::meaning::ALL).chain(process::calls::ALL);
    let labs = labs::syntax::ALL.iter().chain(labs::meaning::ALL);
    let rcheck = rcheck::syntax::ALL.iter().chain(rcheck::meaning::ALL);
    let one_size = process.chain(labs).chain(rcheck);
    input::ALL.iter().chain(syntax::ALL).chain(model).chain(one_size).copied()
}

/// The kind with this code (case-insensitive).
pub fn find(id: &str) -> Option<Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_explanation_belongs_to_one_code() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/codes")).unwrap();
        let files: BTreeSet<String> =
            folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!(files, super::all().map(|code| format!("{}.md", code.id)).collect());
        assert_eq!(files.len(), super::all().count());
    }
}
