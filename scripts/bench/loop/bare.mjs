import { serveLoops } from './contender.ts';

/** The smallest possible loop: a list of messages, a model, a tool. */
serveLoops({
  'not stored': async (next) => {
    const model = async () => {
      const n = next();
      return n === null
        ? { content: 'Done.' }
        : { content: '', call: { name: 'add', args: JSON.stringify({ n }) } };
    };
    const tools = { add: async ({ n }) => `added ${n}` };
    const messages = [{ role: 'user', content: 'Add the numbers.' }];
    for (;;) {
      const reply = await model(messages);
      messages.push({ role: 'assistant', ...reply });
      if (reply.call === undefined) return;
      const content = await tools[reply.call.name](JSON.parse(reply.call.args));
      messages.push({ role: 'tool', content });
    }
  },
});
