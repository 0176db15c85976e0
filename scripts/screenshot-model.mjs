import { createServer } from 'node:http';

const PAGE = `<!doctype html>
<html lang="en">
  <title>Tip calculator</title>
  <link rel="stylesheet" href="style.css">
  <h1>Tip calculator</h1>
  <label>Bill <input type="number" value="48.50"></label>
  <label>Tip <input type="range" min="0" max="30" value="15"></label>
  <output>7.28</output>
</html>
`;
const STYLE = `body {
  max-width: 22rem;
  margin: 15vh auto;
  padding: 2rem;
  border-radius: 1rem;
  background: #eef2ff;
  font: 1.1rem/1.6 system-ui;
}

label {
  display: grid;
  margin-block: 1rem;
}

output {
  font-size: 2.5rem;
}
`;
const planned = (task_id, instruction) => [
  'Plan.append_task',
  { task_id, dependent_task_ids: [], instruction, assignee: 'Zero' },
];
/** The replies of a run, in order. */
const STEPS = [
  reply('Two files are enough. I plan them first.', [
    planned('1', 'Write the page and its styles'),
    planned('2', 'Check it in the browser'),
  ]),
  reply('The page, and its styles.', [
    ['Editor.write', { path: '/index.html', content: PAGE }],
    ['Editor.write', { path: '/style.css', content: STYLE }],
    ['Plan.finish_current_task', {}],
  ]),
  reply('I look at it, and for leftovers.', [
    ['Browser.goto', { url: '/index.html' }],
    ['Terminal.run_command', { cmd: 'ls -l && grep -n output *.html *.css' }],
  ]),
  reply('It works.', [
    ['Plan.finish_current_task', {}],
    [
      'RoleZero.reply_to_human',
      { content: 'The tip calculator is ready: **a bill**, **a tip** from 0 to 30 %, and the sum.' },
    ],
    ['end', {}],
  ]),
];

function reply(thought, list) {
  const commands = list.map(([command_name, args]) => ({ command_name, args }));
  return { thought, text: `${thought}\n\`\`\`json\n${JSON.stringify(commands, null, 2)}\n\`\`\`` };
}

/**
 * Starts a server with the OpenAI API on a free port. Its replies follow from the conversation alone. `mode` changes
 * what it does: `work`, `hold` (it stops in the middle of the file), `key` (it rejects the key), `limit` (too many
 * requests), `break` (the connection ends in the middle of a word), `private` (it permits no page to read it).
 */
export async function startModel() {
  const model = { url: '', mode: 'work', close };
  const http = createServer(async (request, response) => {
    if (model.mode !== 'private') {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
    }
    if (request.method === 'OPTIONS') return response.end();
    if (model.mode === 'key') return refuse(response, 401, 'Incorrect API key provided.');
    if (request.method === 'GET')
      return response.end(JSON.stringify({ data: [{ id: 'qwen3:8b' }, { id: 'gpt-oss:20b' }] }));
    if (model.mode === 'limit') return refuse(response, 429, 'Rate limit reached for requests.');
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    return answer(response, JSON.parse(Buffer.concat(chunks).toString()));
  });
  await new Promise((listening) => http.listen(0, '127.0.0.1', listening));
  model.url = `http://127.0.0.1:${http.address().port}/v1`;
  return model;

  function close() {
    http.closeAllConnections();
    http.close();
  }

  function answer(response, { messages }) {
    const replies = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    const step = STEPS.findLastIndex(({ thought }) => replies.some((text) => text.includes(thought))) + 1;
    const text = STEPS[step]?.text ?? 'Nothing more was recorded.';
    const send = (data) => response.write(`data: ${JSON.stringify(data)}\n\n`);
    const delta = (content, finish_reason = null) =>
      send({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason }] });
    response.setHeader('content-type', 'text/event-stream');
    if (model.mode === 'break') {
      delta('I begin with the');
      return setTimeout(() => response.destroy(), 50);
    }
    if (model.mode === 'hold' && step === 1) return delta(text.slice(0, Math.floor(text.length * 0.5)));
    delta(text);
    delta('', 'stop');
    send({ choices: [], usage: { prompt_tokens: 900 + 300 * step, completion_tokens: 120 } });
    return response.end('data: [DONE]\n\n');
  }
}

function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}
