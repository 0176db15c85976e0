/** A part as an application writes one: it uses nothing of the library but an entry. `docs/how-to/parts.md` explains it. */
import * as z from 'zod';
import { defineTool, type AgentPart, type PartAgent, type PartFactory } from '../../../src/worker/index.js';

/** Counts the words that the user writes to a role. */
export function wordCount(): PartFactory {
  return (agent) => new WordCount(agent);
}

class WordCount implements AgentPart {
  readonly name = 'words';
  readonly tools = [
    defineTool({
      name: 'Words.count',
      description: 'Count the words that the user wrote.',
      input: z.object({}),
      run: () => `${this.total} words`,
    }),
  ];
  total = 0;
  readonly #agent: PartAgent;
  #isStored = true;

  constructor(agent: PartAgent) {
    this.#agent = agent;
  }

  async restore({ rows }: Parameters<NonNullable<AgentPart['restore']>>[0]) {
    const [row] = await rows();
    this.total = Number(row?.value ?? 0);
  }

  onRemember({ causeBy, content }: Parameters<NonNullable<AgentPart['onRemember']>>[0]) {
    if (causeBy !== 'UserRequirement') return;
    this.total += content.split(/\s+/u).length;
    this.#isStored = false;
  }

  rows() {
    if (this.#isStored) return [];
    this.#isStored = true;
    return [{ key: 'total', value: this.total }];
  }

  section() {
    const { parts } = this.#agent.state;
    const { total } = this;
    return {
      text: (fresh: boolean) =>
        fresh || parts[this.name]?.['sent'] !== total ? `# Words of the user\n${total}` : '',
      markSent: () => void (parts[this.name] = { sent: total }),
    };
  }

  session({ parts }: Parameters<NonNullable<AgentPart['session']>>[0]) {
    return {
      count: async () => {
        const all = await parts(undefined, 'read');
        return Object.fromEntries(all.map(({ role, part }) => [role, (part as WordCount).total]));
      },
    };
  }
}
