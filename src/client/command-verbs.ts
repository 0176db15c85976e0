import { bareVerb } from '../core/activity.js';
import type { AgentEvent } from '../core/events.js';

/** What the commands of a session do, in words for users, such as "Writing" for `Editor.write`. */
export class CommandVerbs {
  readonly #verbs = new Map<string, string>();

  /** Returns the verb of a command; undefined for one that no role has. */
  readonly of = (command: string): string | undefined => this.#verbs.get(command);

  /** Adds the verbs of the tools that the worker knows when it opens the session. */
  add(verbs: Readonly<Record<string, string>>): void {
    for (const [command, verb] of Object.entries(verbs)) this.#verbs.set(command, verb);
  }

  /** Reads the verb of a tool that became known later, such as one of an MCP server. */
  learn(event: AgentEvent): void {
    if (event.type === 'command-start') this.#verbs.set(event.name, bareVerb(event.activity.verb));
  }
}
