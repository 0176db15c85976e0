import { serve, RoleZero } from 'rolezero/worker';
import { commands, scriptedModel } from 'rolezero/testing';

/** Two roles without a leader. Each replies with its name and ends. */
serve(() => ({
  roles: ['Ann', 'Bob'].map((name) => {
    const think = commands(['RoleZero.reply_to_human', { content: `I am ${name}.` }], ['end', {}]);
    return new RoleZero({ name, model: scriptedModel({ think }) });
  }),
}));
