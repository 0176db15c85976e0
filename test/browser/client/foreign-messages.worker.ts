import { RoleZero, serve } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { scriptedModel, type Script } from 'rolezero/testing';

/** Posts unhandled rejections to the page, which does not receive them otherwise. */
const uncaught = new BroadcastChannel('foreign-messages-uncaught');
addEventListener('error', ({ message }) => uncaught.postMessage(message));
addEventListener('unhandledrejection', ({ reason }) => uncaught.postMessage(String(reason)));

/** An application that uses the same worker to talk to its page, also with invalid messages. */
const answers: unknown[] = [
  null,
  'ready',
  { rolezero: 'ready' },
  { rolezero: 'ready', version: '6' },
  { rolezero: 'ready', version: Number.NaN },
  { rolezero: ['ready'], version: 999 },
  { rolezero: 'connect', port: {} },
  { id: '1', type: 'HANDLER', name: 'proxy', value: 1 },
  { events: [{ type: 'run-end' }], view: {} },
];
const speak = () => answers.forEach((each) => postMessage(each));
speak();
serve<{ script: Script }>(({ script }) => {
  speak();
  return new RoleZero({ model: scriptedModel(script), tools: editor() });
});
addEventListener('message', speak);
