import * as z from 'zod';
import { scriptedModel } from 'rolezero/testing';
import { RoleZero, serve } from 'rolezero/worker';

export default serve(({ greeting }) => new RoleZero({ goal: greeting, model: scriptedModel([]) }), {
  config: z.object({ greeting: z.string(), loud: z.boolean().optional() }),
});
