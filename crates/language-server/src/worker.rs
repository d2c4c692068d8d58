//! Verdicts in the background: one thread that answers the questions of documents, one after the other.
//!
//! In: analyses to be decided. Out: what is answered so far, and a request to the editor to ask again. A
//! change of a document ends at once what is being decided about it; answers about an older version are
//! dropped.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use paramcheck_text::limits::{Budget, Stop, StopSwitch};
use rustc_hash::FxHashMap;

use crate::analysis::{Analysis, Meaning, errors};
use crate::answer::{Answer, Decider, Subject};
use crate::transport::Outgoing;

/// The stack of the thread; as large as that of a program usually is.
const STACK_BYTES: usize = 8 << 20;

/// What there is to say about a question.
#[derive(Clone, Debug, Default)]
pub(crate) enum Given {
    /// Not decided yet.
    #[default]
    Waiting,
    /// The answer.
    Answer(Arc<Answer>),
    /// There is none, because of a bug.
    Nothing,
}

/// The answers about a version of a document.
struct Answers {
    version: i32,
    given: Vec<Given>,
}

/// A document to be decided.
struct Job {
    uri: String,
    version: i32,
    name: String,
    analysis: Arc<Analysis>,
    switch: StopSwitch,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// The document that is being decided, and how to end that.
    current: Option<(String, StopSwitch)>,
    answers: FxHashMap<String, Answers>,
    /// Whether the editor wants to be asked to ask again.
    is_refreshing: bool,
    refreshes: usize,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    outgoing: Arc<Outgoing>,
    time_limit: Duration,
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread and what it has found.
pub(crate) struct Worker(Arc<Shared>);

impl Worker {
    /// Starts the thread. Each question may take `time_limit`.
    pub(crate) fn start(decider: Box<dyn Decider>, outgoing: Arc<Outgoing>, time_limit: Duration) -> Self {
        let shared = Shared { state: Mutex::default(), wake: Condvar::new(), outgoing, time_limit };
        let shared = Arc::new(shared);
        let worker = Arc::clone(&shared);
        // Without a thread there are no verdicts, and everything else.
        let _ = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || work(&worker, &*decider));
        Worker(shared)
    }

    /// Whether the editor can be asked to ask again.
    pub(crate) fn set_refreshing(&self, is_refreshing: bool) {
        self.0.lock().is_refreshing = is_refreshing;
    }

    /// Ends what is being decided about a document, and forgets what was.
    pub(crate) fn cancel(&self, uri: &str) {
        let mut state = self.0.lock();
        state.jobs.retain(|job| job.uri != uri);
        state.answers.remove(uri);
        if let Some((current, switch)) = &state.current
            && current == uri
        {
            switch.stop(Stop::Interrupted);
        }
    }

    /// Has a version of a document decided, unless that is done.
    pub(crate) fn ask(&self, uri: &str, version: i32, name: &str, analysis: &Arc<Analysis>) {
        let count = analysis.questions().len();
        let mut state = self.0.lock();
        if state.answers.get(uri).is_some_and(|answers| answers.version == version) {
            return;
        }
        let answers = Answers { version, given: vec![Given::Waiting; count] };
        state.answers.insert(uri.to_owned(), answers);
        if count > 0 {
            let (uri, name) = (uri.to_owned(), name.to_owned());
            let switch = StopSwitch::default();
            state.jobs.push_back(Job { uri, version, name, analysis: Arc::clone(analysis), switch });
            self.0.wake.notify_one();
        }
    }

    /// What was answered about a version of a document.
    pub(crate) fn answers(&self, uri: &str, version: i32) -> Vec<Given> {
        let state = self.0.lock();
        let answers = state.answers.get(uri).filter(|answers| answers.version == version);
        answers.map(|answers| answers.given.clone()).unwrap_or_default()
    }
}

/// Decides what comes, for ever: the thread ends with the program.
fn work(shared: &Shared, decider: &dyn Decider) {
    loop {
        let mut state = shared.lock();
        let job = loop {
            match state.jobs.pop_front() {
                Some(job) => break job,
                None => state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        };
        state.current = Some((job.uri.clone(), job.switch.clone()));
        drop(state);
        decide(shared, decider, &job);
        shared.lock().current = None;
    }
}

/// Answers the questions of a document.
fn decide(shared: &Shared, decider: &dyn Decider, job: &Job) {
    let count = job.analysis.questions().len();
    let errors = job.analysis.rewriting().map(|(_, system)| errors(system)).unwrap_or_default();
    let subject = match &job.analysis.meaning {
        Meaning::Rewriting { system: Some(system), .. } => Subject::Rewriting { system, errors: &errors },
        Meaning::Process { system: Some(system), .. } => Subject::Process { name: &job.name, system },
        Meaning::Agents { system: Some(system), text, .. } => {
            Subject::Agents { name: &job.name, text, system }
        }
        _ => return,
    };
    for question in 0..count {
        // Evidence gets no time of its own: the next key waits.
        let budget = Budget {
            switch: job.switch.clone(),
            last_switch: job.switch.clone(),
            most_evidence: Some(shared.time_limit),
            ..Budget::for_duration(shared.time_limit)
        };
        let found = catch_unwind(AssertUnwindSafe(|| decider.decide(&subject, question, &budget)));
        let given = match found {
            Ok(Some(answer)) => Given::Answer(Arc::new(answer)),
            Ok(None) | Err(_) => Given::Nothing,
        };
        if budget.check() == Err(Stop::Interrupted) || !note(shared, job, question, given) {
            return;
        }
    }
}

/// Keeps an answer and asks the editor to ask again; false if the document has changed.
fn note(shared: &Shared, job: &Job, question: usize, given: Given) -> bool {
    let mut state = shared.lock();
    let answers = state.answers.get_mut(&job.uri).filter(|answers| answers.version == job.version);
    let Some(place) = answers.and_then(|answers| answers.given.get_mut(question)) else { return false };
    *place = given;
    if state.is_refreshing {
        state.refreshes += 1;
        let id = format!("refresh-{}", state.refreshes);
        drop(state);
        shared.outgoing.request(id, "workspace/codeLens/refresh");
    }
    true
}
