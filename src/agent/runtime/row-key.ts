/** Names in the keys of rows: without a slash, which separates them there. */

export function encodeName(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('/', '%2F');
}

export function decodeName(encoded: string): string {
  return encoded.replaceAll('%2F', '/').replaceAll('%25', '%');
}
