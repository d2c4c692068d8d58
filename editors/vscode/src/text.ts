// Words, without the editor.

/** Whether the first line of a `.rs` file says that it is a model. */
export function rustModel(firstLine: string): boolean {
  return /^\/\/.*\bparamcheck model\b/.test(firstLine);
}

/** The steps with their numbers. */
export function numbered(steps: string[]): string[] {
  return steps.map((step, position) => `${position + 1}. ${step}`);
}
