import { notes } from 'rolezero/notes';
import { editor } from 'rolezero/tools';
import { openai } from 'rolezero/providers/openai';
import { indexedDbStorage, longTermMemory, RoleZero, serve } from 'rolezero/worker';
import { killable, type KillConfig } from '../killable.js';

let config: KillConfig = { baseURL: '', point: 0, moment: 'before' };

serve<KillConfig>(
  (given) => {
    config = given;
    const shared = given.notes ?? 'kill';
    return new RoleZero({
      model: openai({ baseURL: given.baseURL, model: 'main-job', contextWindow: 8_192 }),
      tools: editor(),
      notes: notes({ shared }),
      longTermMemory: longTermMemory({ shared, maxMessages: 8 }),
    });
  },
  { storage: killable(indexedDbStorage(), () => config) },
);
