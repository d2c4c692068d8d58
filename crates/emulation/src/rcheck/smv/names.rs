//! What things are called. Names of a model have no `$`, so names made with it are never the same, nor reserved.

use paramcheck_rcheck::model::{InstanceId, System};
use paramcheck_text::index::Idx;

/// The names.
pub(super) struct Names {
    /// Per instance its name, and those of its locals.
    instances: Vec<(String, Vec<String>)>,
}

impl Names {
    /// That some step is possible.
    pub(super) const PROGRESS: &'static str = "progress$";
    /// That a step leaves a range.
    pub(super) const FAULT: &'static str = "fault$";
    /// Which step is taken.
    pub(super) const STEP: &'static str = "step$";

    pub(super) fn new(system: &System) -> Names {
        let instances = system.instances.enumerate().map(|(id, instance)| {
            let locals = system.agent_of(id).locals.iter().map(|local| plain(&local.name)).collect();
            (plain(&instance.name), locals)
        });
        Names { instances: instances.collect() }
    }

    fn instance(&self, id: InstanceId) -> &str {
        self.instances.get(id.index()).map_or("", |(name, _)| name)
    }

    pub(super) fn local(&self, id: InstanceId, local: usize) -> String {
        let name = self.instances.get(id.index()).and_then(|(_, locals)| locals.get(local));
        format!("{}${}", self.instance(id), name.map_or("", String::as_str))
    }

    pub(super) fn location(&self, id: InstanceId) -> String {
        format!("{}$", self.instance(id))
    }

    /// Whether a command was executed by the last step.
    pub(super) fn label(&self, id: InstanceId, command: usize) -> String {
        format!("{}$$did{command}", self.instance(id))
    }

    /// Whether the last step satisfies an observation.
    pub(super) fn observation(&self, spec: usize, observation: usize) -> String {
        format!("o${}${observation}", spec + 1)
    }

    /// What holds of a command that produces: `what` in a definition.
    pub(super) fn of_command(&self, id: InstanceId, command: usize, what: &str) -> String {
        format!("{}$${what}{command}", self.instance(id))
    }

    /// What holds of a command that produces and another instance.
    pub(super) fn of_pair(&self, id: InstanceId, command: usize, other: InstanceId, what: &str) -> String {
        format!("{}$${what}{command}${}", self.instance(id), self.instance(other))
    }

    /// The property at a position.
    pub(super) fn spec(spec: usize) -> String {
        format!("spec_{}", spec + 1)
    }
}

/// A name in letters that NuSMV reads.
fn plain(name: &str) -> String {
    name.chars()
        .map(|letter| match letter {
            '_' => letter.to_string(),
            letter if letter.is_ascii_alphanumeric() => letter.to_string(),
            letter => format!("#{:x}", u32::from(letter)),
        })
        .collect()
}
