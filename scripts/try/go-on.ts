import type { TryOptions } from './arguments.js';

/** Returns the command line that continues a session with this model. It never contains a key. */
export function goOnCommand(
  { session, out }: TryOptions,
  model: TryOptions['model'],
  profile: string,
  waiting: boolean,
): string {
  const words = ['--profile', profile];
  if (session !== 'default') words.push('--session', session);
  if (model.kind === 'tour') words.push('--tour', model.tour);
  else if (model.kind === 'wllama') words.push('--gguf', model.model.url);
  else if (model.kind === 'remote') {
    words.push('--base-url', model.baseURL, '--model', model.model);
    if (model.contextWindow !== undefined) words.push('--context-window', String(model.contextWindow));
  }
  if (out !== null) words.push('--out', out);
  if (waiting) words.push('--answer', 'your answer');
  return `npm run try -- ${words.map(quoted).join(' ')}`;
}

/** Quotes a word for a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
