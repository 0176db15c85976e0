/** The three files by name, from the installed package, and the path of its licence. `from` is any file of the application. */
export function encoderFiles(
  from: string | URL,
): Record<'model.json' | 'weights.bin' | 'vocabulary.json', Buffer> & { licence: string };
