import { editor } from 'rolezero/tools';
import { openai } from 'rolezero/providers/openai';
import { Engineer, indexedDbStorage, RoleZero, serve, TeamLeader, type Step } from 'rolezero/worker';
import { killable, type KillConfig } from '../killable.js';

class Reviewer extends RoleZero {
  protected override systemPrompt(step: Step): string {
    return `${super.systemPrompt(step)}\nNever write files.`;
  }
}

let config: KillConfig = { baseURL: '', point: 0, moment: 'before' };

serve<KillConfig>(
  (given) => {
    config = given;
    const { baseURL } = given;
    return {
      leader: new TeamLeader({ model: openai({ baseURL, model: 'Mike', contextWindow: 8_192 }) }),
      roles: [
        new Engineer({ model: openai({ baseURL, model: 'Alex', contextWindow: 8_192 }), tools: editor() }),
        new Reviewer({
          name: 'Rita',
          profile: 'Reviewer',
          model: openai({ baseURL, model: 'Rita', contextWindow: 8_192 }),
          tools: editor(),
        }),
      ],
    };
  },
  { storage: killable(indexedDbStorage(), () => config) },
);
