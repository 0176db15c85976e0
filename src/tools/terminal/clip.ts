/** Truncates a text to about `limit` characters. Retains its beginning and end, and states how much is missing. */
export function clip(text: string, limit: number, advice = ''): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * 0.7);
  const tail = text.length - (limit - head);
  const missing = `[… ${tail - head} characters left out.${advice === '' ? '' : ` ${advice}`}]`;
  return `${text.slice(0, head)}\n${missing}\n${text.slice(tail)}`;
}
