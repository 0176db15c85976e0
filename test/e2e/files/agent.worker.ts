import { editor } from 'rolezero/tools';
import { commands } from 'rolezero/testing';
import { indexedDbStorage, RoleZero, serve, type ChatModel } from 'rolezero/worker';
import { killable, type KillConfig } from '../killable.js';

const STEPS = [
  commands(
    ['Editor.replace_text', { path: '/in/a.txt', old: 'two', new: 'TWO' }],
    ['Editor.write', { path: '/in/deep/new.txt', content: 'new\n' }],
  ),
  commands(['Editor.append_file', { path: '/in/a.txt', content: 'four' }]),
  commands(['end', {}]),
];

/** Its replies follow from the conversation alone, so an interrupted run continues the same way. */
const model: ChatModel = {
  id: 'by conversation',
  contextWindow: 100_000,
  async *chat({ purpose, messages }) {
    const answers = messages.filter(
      ({ role, content }) => role === 'assistant' && STEPS.includes(content as string),
    );
    const text = purpose === 'think' ? (STEPS[answers.length] ?? 'nothing') : `${purpose}.`;
    yield { type: 'text-delta', text };
    yield { type: 'finish', reason: 'stop' };
  },
};

let config: KillConfig = { baseURL: '', point: 0, moment: 'before' };

serve<KillConfig>(
  (given) => {
    config = given;
    return new RoleZero({ model, tools: editor() });
  },
  { storage: killable(indexedDbStorage(), () => config) },
);
