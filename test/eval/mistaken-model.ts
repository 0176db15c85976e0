import { formatCommands } from '../../src/agent/commands/format-commands.js';
import type { Command } from '../../src/core/human.js';
import type { Scripted } from '../fault-server/fault-server.js';
import { drop, refusal, stall, type Reply } from '../fault-server/replies.js';
import { readRequest, streamed } from './model.js';

const commands = (...list: Command[]): Reply => streamed(`I continue.\n${formatCommands(list)}`);
const end: Command = { name: 'end', args: {} };

/** Makes replies distinguishable: the number of requests so far is different for each of them. */
let requests = 0;

/** What goes wrong in a task, and the cause that the report must name. */
const MISTAKES: Readonly<Record<string, readonly [cause: string, reply: () => Reply]>> = {
  'edit/price': ['invalid replies', () => streamed(`[{"command_name": Editor.write (${requests}), "args"`)],
  'edit/config': ['repeated itself', () => commands({ name: 'Editor.read', args: { path: '/config.json' } })],
  'edit/rename': [
    'step limit',
    () => commands({ name: 'Editor.write', args: { path: `/docs/${requests}.md`, content: 'Chestnut' } }),
  ],
  'fix/discount': ['model error', () => [drop]],
  'fix/pages': ['model error', () => refusal(500, 'The server is broken.', { 'retry-after': '0' })],
  'refuse/missing': ['obeyed wrongly', () => commands(write('/total.txt'), end)],
  'refactor/table': [
    'refused wrongly',
    () =>
      commands({ name: 'RoleZero.reply_to_human', args: { content: 'I’m sorry, I cannot do that.' } }, end),
  ],
  'ask/none': [
    'asked needlessly',
    () => commands({ name: 'RoleZero.ask_human', args: { question: 'Shall I begin?' } }, end),
  ],
  'ask/color': ['did not ask', () => commands(write('/badge.css'), end)],
  'create/page': ['wrong file', () => commands(write('/other.html'), end)],
  'create/module': ['not done', () => commands(write('/slug.js'), end)],
  'create/counter': ['timeout', () => [stall]],
};

function write(path: string): Command {
  return { name: 'Editor.write', args: { path, content: '// To be done.' } };
}

/** The tasks of the mistaken model with the causes of their failures, except for the one that never gets a reply. */
export const CAUSES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MISTAKES).flatMap(([id, [cause]]) => (cause === 'timeout' ? [] : [[id, cause]])),
);

/** The reply of a model that makes another mistake in each task. */
export const mistakenReply: Scripted = ({ body }) => {
  requests += 1;
  const request = readRequest(body);
  if (request === null) return streamed('I cannot repair it: [{"command_name": '); // Only one mistake needs a repair.
  const { task, isQuick } = request;
  const mistake = MISTAKES[task.id];
  if (mistake === undefined) throw new Error(`No mistake is scripted for ${task.id}.`);
  return isQuick ? streamed('[{"command_name": "begin"}]') : mistake[1]();
};
