/** Calls that wait for an answer. */
const waiting = new Set<object>();

/**
 * Waits for a call of a file handle, and keeps the handle until then: Chromium never answers when it is garbage-collected meanwhile, as one
 * is that only the call uses.
 */
export async function answered<Answer>(handle: FileSystemHandle, answer: Promise<Answer>): Promise<Answer> {
  const call = { handle };
  waiting.add(call);
  try {
    return await answer;
  } finally {
    waiting.delete(call);
  }
}
