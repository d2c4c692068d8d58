// The client without an editor: what it asks of VS Code, which is a mock here, and of the language client.
//
// `npm run test:client` compiles it first. That VS Code does what it is asked is not tested.

const assert = require("node:assert/strict");
const Module = require("node:module");
const path = require("node:path");
const { beforeEach, test } = require("node:test");

/** What was asked of the editor, in order: a name and its arguments. */
let calls;
/** The handlers that were registered, by name. */
let handlers;
/** What the settings say. */
let settings;
/** Why the server does not start, if it does not. */
let refusal;

const note = (name, result) => (...given) => {
  calls.push([name, ...given]);
  return result?.(...given);
};
const asked = (name) => calls.filter((call) => call[0] === name).map((call) => call.slice(1));
const register = (kind) => (name, handler) => {
  handlers[typeof name === "string" ? name : kind] = handler ?? name;
  return { dispose() {} };
};

const editor = (document) => ({ document, setDecorations: note("setDecorations") });
const text = (languageId, ...lines) => ({
  languageId,
  lineCount: lines.length,
  lineAt: (line) => ({ text: lines[line], range: `line ${line}` }),
});
const shown = text("rws", "a", "b", "c");

const vscode = {
  EventEmitter: class {
    event = "event";
    fire = note("changed");
  },
  ThemeColor: class {},
  Uri: { from: ({ scheme, path }) => `${scheme}:${path}`, parse: (uri) => `parsed ${uri}` },
  ViewColumn: { Beside: -2 },
  commands: { registerCommand: register(), executeCommand: note("executeCommand") },
  languages: {
    match: ({ pattern }, document) => (document.path?.includes(pattern) ? 10 : 0),
    setTextDocumentLanguage: note("setTextDocumentLanguage"),
  },
  window: {
    createOutputChannel: () => ({ replace: note("replace") }),
    createTextEditorDecorationType: () => "style",
    setStatusBarMessage: note("setStatusBarMessage"),
    showErrorMessage: note("showErrorMessage"),
    showTextDocument: note("showTextDocument", () => editor(shown)),
    visibleTextEditors: [],
  },
  workspace: {
    getConfiguration: () => ({ get: (name, usual) => settings[name] ?? usual }),
    onDidChangeTextDocument: register("changed"),
    onDidOpenTextDocument: register("opened"),
    openTextDocument: note("openTextDocument", (uri) => uri),
    registerTextDocumentContentProvider: register("provider"),
    textDocuments: [],
  },
};

class LanguageClient {
  constructor(...given) {
    calls.push(["LanguageClient", ...given]);
    this.protocol2CodeConverter = {
      asLocation: (location) => `at ${location.range.end.line}`,
      asPosition: (position) => `position ${position.line}`,
    };
  }
  start = note("start", () => (refusal ? Promise.reject(refusal) : Promise.resolve()));
  stop = note("stop");
}

const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === "vscode") return vscode;
  if (name === "vscode-languageclient/node") return { LanguageClient, TransportKind: { stdio: 0 } };
  return load(name, ...rest);
};

/** The extension, loaded and activated anew. */
async function activated() {
  const file = path.join(__dirname, "..", "out", "test", "extension.cjs");
  delete require.cache[file];
  const extension = require(file);
  const context = { subscriptions: [] };
  await extension.activate(context);
  return { extension, context };
}

/** How the client answers a command of the server's. */
const execute = (command, parameters, next = note("next")) =>
  asked("LanguageClient")[0][3].middleware.executeCommand(command, parameters, next);

beforeEach(() => {
  [calls, handlers, settings, refusal] = [[], {}, {}, undefined];
});

test("it starts the server that the settings name, for its three languages", async () => {
  settings = { path: "/opt/paramcheck", timeLimit: 7 };
  const { context } = await activated();
  const [[id, , server, options]] = asked("LanguageClient");
  assert.equal(id, "paramcheck");
  assert.equal(server.command, "/opt/paramcheck");
  assert.deepEqual(server.args, ["lsp", "--time-limit", "7"]);
  const languages = new Set(options.documentSelector.map((one) => one.language));
  assert.deepEqual([...languages], ["rws", "ccs", "chor"]);
  assert.equal(asked("start").length, 1);
  assert.equal(context.subscriptions.length, 5);
});

test("a server that does not start is reported, with the setting that helps", async () => {
  refusal = new Error("no such program");
  await activated();
  const [[message]] = asked("showErrorMessage");
  assert.match(message, /no such program/);
  assert.match(message, /paramcheck\.path/);
});

test("commands restart and stop the server", async () => {
  const { extension } = await activated();
  await handlers["paramcheck.restart"]();
  assert.deepEqual([asked("stop").length, asked("start").length], [1, 2]);
  await extension.deactivate();
  assert.equal(asked("stop").length, 2);
});

test("a .rs file is a model if its first line or a setting says so", async () => {
  settings = { modelsInRust: ["models/"] };
  await activated();
  const rust = text("rust", "fn main() {}");
  const cases = [
    [rust, false],
    [text("rust", "// a paramcheck model"), true],
    [{ ...rust, path: "models/a.rs" }, true],
    [{ ...text("python", "// a paramcheck model"), path: "models/a.py" }, false],
  ];
  for (const [document, expected] of cases) {
    calls = [];
    await handlers.opened(document);
    assert.deepEqual(asked("setTextDocumentLanguage"), expected ? [[document, "rws"]] : []);
  }
  vscode.window.activeTextEditor = editor(rust);
  await handlers["paramcheck.treatAsModel"]();
  assert.deepEqual(asked("setTextDocumentLanguage"), [[rust, "rws"]]);
  vscode.window.activeTextEditor = undefined;
});

const at = (line) => ({ uri: "u", range: { end: { line } } });
const trace = (steps) => ({
  uri: "u",
  name: "exclusion",
  title: "violated",
  text: "all of it",
  range: { start: { line: 4 } },
  steps,
});

test("the steps of a trace are a peek, and stand behind their lines", async () => {
  await activated();
  const steps = [
    { text: "one", location: at(1) },
    { text: "two", location: null },
    { text: "three", location: at(1) },
    { text: "far", location: at(9) },
  ];
  await execute("paramcheck.showTrace", [trace(steps)]);
  const peek = asked("executeCommand")[0];
  assert.deepEqual(peek, [
    "editor.action.peekLocations",
    "parsed u",
    "position 4",
    ["at 1", "at 1", "at 9"],
    "peek",
  ]);
  const [[style, decorations]] = asked("setDecorations");
  assert.equal(style, "style");
  assert.deepEqual(
    decorations.map((one) => [one.range, one.renderOptions.after.contentText]),
    // A line that the text no longer has is its last.
    [["line 1", "1. one   3. three"], ["line 2", "4. far"]],
  );
  // As the text changes they go.
  vscode.window.visibleTextEditors = [editor(shown), editor(text("rws"))];
  calls = [];
  handlers.changed({ document: shown });
  assert.deepEqual(asked("setDecorations"), [["style", []]]);
  vscode.window.visibleTextEditors = [];
});

test("an answer without steps, and an explanation, are texts beside", async () => {
  await activated();
  await execute("paramcheck.showTrace", [trace([])]);
  assert.deepEqual(asked("openTextDocument"), [["paramcheck-answer:/exclusion.txt"]]);
  const provider = handlers["paramcheck-answer"];
  assert.equal(provider.provideTextDocumentContent("paramcheck-answer:/exclusion.txt"), "all of it");
  const answer = await execute("paramcheck.explain", ["E0201"], () => "what it means");
  assert.equal(answer, "what it means");
  assert.equal(provider.provideTextDocumentContent("paramcheck-answer:/E0201.txt"), "what it means");
  assert.equal(provider.provideTextDocumentContent("paramcheck-answer:/E0202.txt"), "");
  // What is none of these goes through.
  const before = calls.length;
  assert.equal(await execute("other", [1], () => 5), 5);
  assert.equal(calls.length, before);
});
