import { notes } from 'rolezero/notes';
import { editor } from 'rolezero/tools';
import { openai } from 'rolezero/providers/openai';
import { indexedDbStorage, RoleZero, serve } from 'rolezero/worker';
import { killable, type KillConfig } from '../killable.js';

let config: KillConfig = { baseURL: '', point: 0, moment: 'before' };

serve<KillConfig>(
  (given) => {
    config = given;
    return new RoleZero({
      model: openai({ baseURL: given.baseURL, model: 'main-job', contextWindow: 8_192 }),
      tools: editor(),
      notes: notes({ shared: given.notes ?? 'kill' }),
    });
  },
  { storage: killable(indexedDbStorage(), () => config) },
);
