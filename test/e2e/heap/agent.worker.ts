import { commands, scriptedModel } from 'rolezero/testing';
import { editor } from 'rolezero/tools';
import { RoleZero, serve } from 'rolezero/worker';

serve(
  () =>
    new RoleZero({
      model: scriptedModel({
        think: [
          commands(['Editor.write', { path: '/note.txt', content: 'a note' }]),
          commands(['RoleZero.ask_human', { question: 'Which color?' }]),
          commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]),
        ],
      }),
      tools: editor(),
    }),
);
