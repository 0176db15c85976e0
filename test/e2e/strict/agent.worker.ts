import { RoleZero, serve } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { browser } from 'rolezero/tools/browser';
import { scriptedModel } from 'rolezero/testing';

serve<{ think: string[] }>(
  ({ think }) => new RoleZero({ model: scriptedModel({ think }), tools: [...editor(), ...browser()] }),
);
