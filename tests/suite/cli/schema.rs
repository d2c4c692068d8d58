//! Just enough of JSON Schema to hold the program to `docs/json.schema.json`.

use std::fs;
use std::sync::LazyLock;

use serde_json::Value;

/// The schema of all documents.
pub(super) static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
});

/// Asserts that `document` is as the schema of its command says.
#[track_caller]
pub(super) fn assert_valid(document: &Value) {
    let command = document["command"].as_str().expect("every document has its command");
    // The alternatives of the top level say only that none holds; this one says why.
    let found = problems(&SCHEMA, &SCHEMA["$defs"][command], document, "");
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(problems(&SCHEMA, &SCHEMA, document, ""), Vec::<String>::new());
}

/// What in `value` does not conform to `schema`, with its place. Knows the words that our schema uses and
/// fails on others, so that none is ignored.
pub(super) fn problems(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (word, wanted) in schema.as_object().expect("a schema is an object") {
        let is_right = match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let path = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                found.extend(problems(root, root.pointer(path).expect(path), value, place));
                true
            }
            "type" => match wanted {
                Value::Array(types) => types.iter().any(|one| has_type(value, one)),
                one => has_type(value, one),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "pattern" => {
                assert_eq!(wanted, "^[EW][0-9]{4}$", "the only pattern known here");
                let text = value.as_str().unwrap_or_default();
                let digits = text.strip_prefix(['E', 'W']).unwrap_or_default();
                digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            "items" => {
                for (position, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(problems(root, wanted, item, &format!("{place}/{position}")));
                }
                true
            }
            "properties" => {
                for (key, schema) in wanted.as_object().unwrap() {
                    if let Some(item) = value.get(key) {
                        found.extend(problems(root, schema, item, &format!("{place}/{key}")));
                    }
                }
                true
            }
            "required" => {
                let mut keys = wanted.as_array().unwrap().iter().map(|key| key.as_str().unwrap());
                !value.is_object() || keys.all(|key| value.get(key).is_some())
            }
            "additionalProperties" => {
                let known = &schema["properties"];
                let others = value.as_object().into_iter().flatten();
                let mut others = others.filter(|(key, _)| known.get(key).is_none());
                if wanted == &Value::Bool(false) {
                    others.next().is_none()
                } else {
                    for (key, item) in others {
                        found.extend(problems(root, wanted, item, &format!("{place}/{key}")));
                    }
                    true
                }
            }
            "oneOf" => alternatives(root, wanted, value, place).filter(|found| found.is_empty()).count() == 1,
            "anyOf" => alternatives(root, wanted, value, place).any(|found| found.is_empty()),
            other => panic!("the schema uses `{other}`, which is not known here"),
        };
        if !is_right {
            found.push(format!("{place}: not as `{word}` says: {value}"));
        }
    }
    found
}

fn alternatives<'a>(
    root: &'a Value,
    schemas: &'a Value,
    value: &'a Value,
    place: &'a str,
) -> impl Iterator<Item = Vec<String>> + 'a {
    schemas.as_array().unwrap().iter().map(move |schema| problems(root, schema, value, place))
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type `{other}`"),
    }
}
