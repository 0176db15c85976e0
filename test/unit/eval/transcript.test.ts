import { expect, it } from 'vitest';
import type { Attempt } from '../../../scripts/eval/report.js';
import { NOTHING_MEASURED, type RecordedCall } from '../../../scripts/eval/task.js';
import { ALL_TASKS } from '../../../scripts/eval/tasks/index.js';
import { transcriptOf } from '../../../scripts/eval/transcript.js';

it('writes each message of an attempt once, with what surrounds it', () => {
  const task = ALL_TASKS.find(({ id }) => id === 'small/hello');
  if (task === undefined) throw new Error('There is no such task.');
  const attempt: Attempt = {
    ...NOTHING_MEASURED,
    task: task.id,
    kind: 'small',
    loop: 'rolezero',
    round: 1,
    solved: false,
    cause: 'not done',
    reason: 'There is no /hello.txt.',
    steps: 2,
    ms: 3_210,
  };
  const call = { promptTokens: 900, completionTokens: 20, ms: 1_500 };
  const first = [
    { role: 'system', content: 'You are Zero.' },
    { role: 'user', content: 'Create it.' },
  ];
  const calls: RecordedCall[] = [
    { ...call, purpose: 'think', messages: first, reply: 'I write.\n```json\n[]\n```' },
    {
      ...call,
      purpose: 'think',
      messages: [
        ...first,
        { role: 'assistant', content: 'I write.\n```json\n[]\n```' },
        { role: 'user', content: 'No commands.' },
      ],
      reply: 'Done.',
    },
  ];
  expect(transcriptOf(attempt, task, calls)).toBe(`# small/hello, rolezero

Result: failed, not done: There is no /hello.txt.

2 steps, 2 calls, 3.2 s

> Create the file /hello.txt with this text: Hello, world!

## Call 1: think, 1.5 s, 900 tokens in, 20 out

### system

\`\`\`
You are Zero.
\`\`\`

### user

\`\`\`
Create it.
\`\`\`

### Reply

\`\`\`\`
I write.
\`\`\`json
[]
\`\`\`
\`\`\`\`

## Call 2: think, 1.5 s, 900 tokens in, 20 out

### user

\`\`\`
No commands.
\`\`\`

### Reply

\`\`\`
Done.
\`\`\`
`);
});
