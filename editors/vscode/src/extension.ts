// The client: starts `paramcheck lsp`, and shows what only an editor can: an answer with its trace as a peek.
//
// Everything else is the server's. Models that end in `.rs` are Rust to the editor until a setting, a first
// line with "paramcheck model" in a comment, or a command says otherwise.

import * as vscode from "vscode";
import {
  LanguageClient,
  LanguageClientOptions,
  Location,
  Range,
  ServerOptions,
  TransportKind,
} from "vscode-languageclient/node";

import { numbered, rustModel } from "./text";

/** What the server hands to the command that shows an answer. */
interface Trace {
  uri: string;
  name: string;
  title: string;
  text: string;
  range: Range;
  steps: { text: string; location: Location | null }[];
}

const SCHEME = "paramcheck-answer";
const LANGUAGES = ["rws", "ccs", "chor", "labs"];

let client: LanguageClient | undefined;

/** Texts that are shown, by their addresses. */
class Answers implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.txt` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }
}

const answers = new Answers();

/** Shows the steps of a trace as a peek, and the whole answer beside; without steps, the answer alone. */
async function showTrace(trace: Trace): Promise<void> {
  const converter = client?.protocol2CodeConverter;
  const steps = trace.steps.filter((step) => step.location !== null);
  if (!converter || steps.length === 0) {
    return answers.show(trace.name, trace.text);
  }
  const uri = vscode.Uri.parse(trace.uri);
  const locations = steps.map((step) => converter.asLocation(step.location as Location));
  const lines = numbered(trace.steps.map((step) => step.text));
  vscode.window.setStatusBarMessage(lines[0] ?? trace.title, 10_000);
  const channel = output();
  channel.replace(`${trace.name}: ${trace.title}\n\n${trace.text}`);
  const start = converter.asPosition(trace.range.start);
  const editor = await vscode.window.showTextDocument(uri);
  decorate(editor, trace, lines);
  await vscode.commands.executeCommand("editor.action.peekLocations", uri, start, locations, "peek");
}

let channel: vscode.OutputChannel | undefined;

function output(): vscode.OutputChannel {
  channel ??= vscode.window.createOutputChannel("paramcheck answers");
  return channel;
}

const stepStyle = vscode.window.createTextEditorDecorationType({
  after: { margin: "0 0 0 2em", color: new vscode.ThemeColor("editorCodeLens.foreground") },
});

/** Writes the texts of the steps behind the lines that they come from, until the text changes. */
function decorate(editor: vscode.TextEditor, trace: Trace, lines: string[]): void {
  const byLine = new Map<number, string[]>();
  trace.steps.forEach((step, position) => {
    if (step.location) {
      const line = step.location.range.end.line;
      byLine.set(line, [...(byLine.get(line) ?? []), lines[position]]);
    }
  });
  editor.setDecorations(
    stepStyle,
    [...byLine].map(([line, texts]) => ({
      range: editor.document.lineAt(Math.min(line, editor.document.lineCount - 1)).range,
      renderOptions: { after: { contentText: texts.join("   ") } },
    })),
  );
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("paramcheck");
  const server: ServerOptions = {
    command: settings.get<string>("path", "paramcheck"),
    args: ["lsp", "--time-limit", String(settings.get<number>("timeLimit", 5))],
    transport: TransportKind.stdio,
  };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    middleware: {
      // The client registers the server's commands; what they answer is shown here.
      executeCommand: async (command, parameters, next) => {
        if (command === "paramcheck.showTrace") {
          return showTrace(parameters[0] as Trace);
        }
        const text: unknown = await next(command, parameters);
        if (command === "paramcheck.explain" && typeof text === "string") {
          await answers.show(String(parameters[0]), text);
        }
        return text;
      },
    },
  };
  client = new LanguageClient("paramcheck", "paramcheck", server, options);
  try {
    await client.start();
  } catch (error) {
    const hint = "Is `paramcheck` installed, with `paramcheck lsp`? The setting `paramcheck.path` says where it is.";
    void vscode.window.showErrorMessage(`paramcheck can't be started: ${String(error)}. ${hint}`);
  }
}

/** Takes a `.rs` document for a model, if the settings say so. */
async function adopt(document: vscode.TextDocument): Promise<void> {
  const patterns = vscode.workspace.getConfiguration("paramcheck").get<string[]>("modelsInRust", []);
  const isWanted = patterns.some((pattern) => vscode.languages.match({ pattern }, document) > 0);
  if (document.languageId === "rust" && (isWanted || rustModel(document.lineAt(0).text))) {
    await vscode.languages.setTextDocumentLanguage(document, "rws");
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, answers),
    vscode.workspace.onDidOpenTextDocument(adopt),
    vscode.workspace.onDidChangeTextDocument((change) => {
      const editors = vscode.window.visibleTextEditors;
      editors.filter((editor) => editor.document === change.document).forEach((editor) => {
        editor.setDecorations(stepStyle, []);
      });
    }),
    vscode.commands.registerCommand("paramcheck.treatAsModel", async () => {
      const document = vscode.window.activeTextEditor?.document;
      if (document) {
        await vscode.languages.setTextDocumentLanguage(document, "rws");
      }
    }),
    vscode.commands.registerCommand("paramcheck.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await Promise.all(vscode.workspace.textDocuments.map(adopt));
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
