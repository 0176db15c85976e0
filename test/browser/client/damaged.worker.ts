import { longTermMemory, RoleZero, serve } from 'rolezero/worker';
import { notes } from 'rolezero/notes';
import { editor } from 'rolezero/tools';
import { commands, scriptedModel } from 'rolezero/testing';

serve(
  () =>
    new RoleZero({
      model: scriptedModel({
        think: [
          commands([
            'Plan.append_task',
            { task_id: '1', dependent_task_ids: [], instruction: 'Build it', assignee: 'Zero' },
          ]),
          commands(['Editor.write', { path: '/long.txt', content: 'A line of the file.\n'.repeat(200) }]),
          commands(['Editor.write', { path: '/short.txt', content: 'short' }]),
          commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
        ],
      }),
      tools: editor(),
      notes: notes(),
      longTermMemory: longTermMemory({ maxMessages: 4 }),
      summarize: false,
    }),
);
