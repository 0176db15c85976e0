import { RoleZero, serve } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { scriptedModel, type Script } from 'rolezero/testing';

/** Reports unhandled rejections to the page, which does not receive them from a worker otherwise. */
const uncaught = new BroadcastChannel('strangers-uncaught');
addEventListener('error', ({ message }) => uncaught.postMessage(message));
addEventListener('unhandledrejection', ({ reason }) => uncaught.postMessage(String(reason)));

/** An application that talks to its page over the same worker, and not always sense. */
const said: unknown[] = [
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
const speak = () => said.forEach((each) => postMessage(each));
speak();
serve<{ script: Script }>(({ script }) => {
  speak();
  return new RoleZero({ model: scriptedModel(script), tools: editor() });
});
addEventListener('message', speak);
