/**
 * The shell's worker as text, for builds without worker support. This is a placeholder: the build inserts the bundled worker here. When
 * running from source, every dev server finds the file, so the text is not needed.
 */
export const source = '';
