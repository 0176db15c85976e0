import { readJson } from '../../../../src/agent/json/scanner.js';

/** Returns valid JSON unchanged, other text as the JSON that it is parsed as, and null if it cannot be parsed. */
export function repairJson(text: string): string | null {
  try {
    JSON.parse(text);
    return text;
  } catch {
    const read = readJson(text);
    return read.ok ? JSON.stringify(read.value) : null;
  }
}
