import { indexedDbStorage, RoleZeroError, serve, type SessionStore, type Storage } from 'rolezero/worker';
import { rolesFor } from '../../chaos/mixtures/mixed-roles.js';
import { channelOf, type ChannelMessage, type Conditions, type MixtureConfig } from './channel.js';

let conditions: Conditions = { isOpen: false, isFull: false, clock: 0 };
let waiting: (() => void)[] = [];
const realNow = Date.now.bind(Date);
Date.now = () => realNow() + conditions.clock;

function setConditions(given: Conditions): void {
  conditions = given;
  if (given.isOpen) goOn();
}

function goOn(): void {
  const all = waiting;
  waiting = [];
  for (const go of all) go();
}

/** The default storage with a disk that can be full: then only removals are stored. */
function limited(storage: Storage): Storage {
  return {
    ...storage,
    async open(name, options) {
      const store = await storage.open(name, options);
      const commit = store.commit.bind(store);
      const log = store.log?.bind(store);
      const checkRoom = (): void => {
        if (conditions.isFull) throw new RoleZeroError('storage-full', 'The disk is full: simulated.', {});
      };
      const patched: Pick<SessionStore, 'commit' | 'log'> = {
        async commit(writes, random, how) {
          if (how?.purge !== true || writes.some(({ value }) => value !== undefined)) checkRoom();
          return commit(writes, random, how);
        },
        async log(writes, random) {
          checkRoom();
          return (await log?.(writes, random)) ?? false;
        },
      };
      return Object.assign(store, patched);
    },
  };
}

serve<MixtureConfig>(
  ({ settings, session, conditions: now }) => {
    setConditions(now);
    const channel = channelOf(settings);
    channel.addEventListener('message', ({ data }: MessageEvent<ChannelMessage>) => {
      if (data.type === 'conditions') setConditions(data.conditions);
      else if (data.type === 'through') goOn();
    });
    const roles = rolesFor(settings, {
      gate: () => (conditions.isOpen ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
      pause: () => new Promise((resolve) => setTimeout(resolve)),
      async mail(what) {
        const effect: ChannelMessage = { type: 'effect', session, what };
        channel.postMessage(effect);
      },
    });
    return { roles };
  },
  { storage: limited(indexedDbStorage({ waitMs: 500 })) },
);

// An endless loop, like a bad regular expression.
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  while (data === 'hang');
});
