import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Returns the one code sample of a document in that language which contains `text`. @throws Error when there is not exactly one. */
export function documentedSample(document: string, language: string, text: string): string {
  const path = fileURLToPath(new URL(`../${document}`, import.meta.url));
  const blocks = readFileSync(path, 'utf8').matchAll(/^```(\w+)\n([^]*?)^```$/gm);
  const found = [...blocks].flatMap(([, name, code = '']) =>
    name === language && code.includes(text) ? [code] : [],
  );
  const [code] = found;
  if (code === undefined || found.length > 1)
    throw new Error(`${document} has ${found.length} ${language} snippets that contain ${text}, expected 1.`);
  return code;
}
