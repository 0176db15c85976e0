import { outputText } from '../ai-sdk-ui/tool-calls.js';
import type { SessionChunk, SessionUIMessage } from '../ai-sdk-ui/ui-message.js';

/** One entry of a chat. Entries are immutable. */
export type Entry =
  | { kind: 'request'; text: string }
  | { kind: 'reply'; id: string | null; text: string }
  | { kind: 'thought'; id: string | null; text: string; isOpen: boolean }
  | CommandEntry
  | { kind: 'error'; text: string };

export interface CommandEntry {
  kind: 'command';
  id: string;
  name: string;
  input: unknown;
  state: 'running' | 'done' | 'failed' | 'denied';
  output: string;
}

type Part = SessionUIMessage['parts'][number];

/** The entries of a stored conversation. */
export function entriesOf(messages: readonly SessionUIMessage[]): Entry[] {
  return messages.flatMap(({ role, parts }) => parts.flatMap((part) => entryOf(part, role)));
}

function entryOf(part: Part, role: SessionUIMessage['role']): Entry[] {
  switch (part.type) {
    case 'text':
      return [
        role === 'user' ? { kind: 'request', text: part.text } : { kind: 'reply', id: null, text: part.text },
      ];
    case 'reasoning':
      return [{ kind: 'thought', id: null, text: part.text, isOpen: false }];
    case 'dynamic-tool': {
      const command = {
        kind: 'command' as const,
        id: part.toolCallId,
        name: part.toolName,
        input: part.input,
      };
      if (part.state === 'output-available')
        return [{ ...command, state: 'done', output: outputText(part.output) }];
      if (part.state === 'output-error') return [{ ...command, state: 'failed', output: part.errorText }];
      return [{ ...command, state: part.state === 'output-denied' ? 'denied' : 'running', output: '' }];
    }
    default:
      return [];
  }
}

/** Adds a chunk of a response. */
export function withChunk(entries: readonly Entry[], chunk: SessionChunk): readonly Entry[] {
  switch (chunk.type) {
    case 'text-start':
      return [...entries, { kind: 'reply', id: chunk.id, text: '' }];
    case 'reasoning-start':
      return [...entries, { kind: 'thought', id: chunk.id, text: '', isOpen: true }];
    case 'text-delta':
    case 'reasoning-delta':
      return changed(entries, chunk.id, (entry) =>
        'text' in entry ? { ...entry, text: entry.text + chunk.delta } : entry,
      );
    case 'reasoning-end':
      return changed(entries, chunk.id, (entry) =>
        entry.kind === 'thought' ? { ...entry, isOpen: false } : entry,
      );
    case 'tool-input-available': {
      const { toolCallId: id, toolName: name, input } = chunk;
      return [...entries, { kind: 'command', id, name, input, state: 'running', output: '' }];
    }
    case 'tool-output-available':
      return ended(entries, chunk.toolCallId, 'done', outputText(chunk.output));
    case 'tool-output-error':
      return ended(entries, chunk.toolCallId, 'failed', chunk.errorText);
    case 'tool-output-denied':
      return ended(entries, chunk.toolCallId, 'denied', '');
    case 'error':
      return [...entries, { kind: 'error', text: chunk.errorText }];
    default:
      return entries;
  }
}

function ended(
  entries: readonly Entry[],
  id: string,
  state: CommandEntry['state'],
  output: string,
): readonly Entry[] {
  return changed(entries, id, (entry) => (entry.kind === 'command' ? { ...entry, state, output } : entry));
}

/** Changes the newest entry of an id. */
function changed(entries: readonly Entry[], id: string, change: (entry: Entry) => Entry): readonly Entry[] {
  const at = entries.findLastIndex((entry) => 'id' in entry && entry.id === id);
  const entry = entries[at];
  return entry === undefined ? entries : entries.with(at, change(entry));
}
