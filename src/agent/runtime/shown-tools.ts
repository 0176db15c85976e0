import { withoutEnvelope } from '../../core/envelope.js';
import type { JsonSchema } from '../../core/json.js';
import type { ChatModel } from '../../core/model.js';
import type { Tool } from '../../core/tool.js';
import type { ToolRegistry } from '../../tools/registry.js';
import { isForbidden } from '../policy/policy.js';
import { smallDescription, smallTools } from '../prompt/preset.js';
import {
  type ReplyForm,
  replySchema,
  smallReplySchema,
  nativeTools,
  type NativeTools,
} from '../prompt/reply-form.js';
import { CHARACTERS_PER_TOKEN } from '../prompt/token-count.js';
import type { Recommender } from './role-zero-options.js';
import type { RoleZeroSettings } from './role-zero-options.js';
import type { RoleState } from './state.js';

/** Share of the window for the description of the commands. */
const COMMANDS_SHARE = 0.3;

/** What is needed of the agent whose tools are shown. */
interface ToolsAgent {
  readonly registry: ToolRegistry;
  readonly settings: Pick<RoleZeroSettings, 'callPlan' | 'preset' | 'rules'>;
  /** It may change, and with it the form of replies. */
  readonly model: ChatModel;
  readonly form: ReplyForm;
  readonly ruleName: string;
  readonly state: Pick<RoleState, 'turn'>;
  warn(message: string, error: unknown): void;
}

/** What the model is shown of the tools of an agent. All tools can be used in any case. */
export class ShownTools {
  recommender: Recommender | undefined;
  /** Names of the tools for the current step; null for those of the request. */
  ofStep: readonly string[] | null = null;
  readonly #agent: ToolsAgent;
  #schema: { version: number; schema: JsonSchema } | null = null;
  #native: { key: string; tools: NativeTools } | null = null;

  constructor(agent: ToolsAgent) {
    this.#agent = agent;
  }

  /** Chooses the tools for the request, once per turn. */
  async choose(): Promise<void> {
    const { turn } = this.#agent.state;
    if (this.recommender === undefined || turn === null || turn.offered !== undefined) return;
    try {
      const context = withoutEnvelope(turn.request?.content ?? '');
      turn.offered = (await this.recommender.recommend({ context })).map(({ name }) => name);
    } catch (error) {
      this.#agent.warn('Could not choose the matching tools; offering all of them.', error);
    }
  }

  /** Returns the description of the commands for the system prompt; the same in every step of a turn. */
  list(): string {
    const { registry, settings } = this.#agent;
    const offered = this.#offered();
    const shown = offered && registry.tools.filter(({ name }) => offered.includes(name));
    const most = this.#mostCharacters;
    if (settings.preset === 'small')
      return registry.describeBriefly(shown ?? smallTools(registry.tools), {
        most,
        describe: smallDescription,
      });
    const schemas = registry.describe(shown);
    return schemas.length <= most ? schemas : registry.describeBriefly(shown, { most });
  }

  /** Returns the schema of replies in the form of the model, cached until the tools change: an engine takes seconds to compile a new one. */
  schema(): JsonSchema | undefined {
    const { registry, settings, form } = this.#agent;
    if (!form.hasSchema) return undefined;
    if (this.#schema?.version !== registry.version) {
      const tools = this.#shown(registry.tools);
      const schema =
        settings.preset === 'small' ? smallReplySchema(tools) : replySchema(tools, settings.callPlan);
      this.#schema = { version: registry.version, schema };
    }
    return this.#schema.schema;
  }

  /** Returns the schema of one reply of a small model with these commands only; that of all replies in other cases. */
  smallSchema(isAllowed: (name: string) => boolean): JsonSchema | undefined {
    const { registry, settings, form } = this.#agent;
    if (!form.hasSchema || settings.preset !== 'small') return this.schema();
    return smallReplySchema(this.#shown(registry.tools).filter(({ name }) => isAllowed(name)));
  }

  /** Returns the tools in the native form, cached until they change: prompts begin with them. */
  native(): NativeTools {
    const { registry, settings, model } = this.#agent;
    const offered = this.#offered();
    const key = `${registry.version} ${model.id} ${offered?.join(' ') ?? ''}`;
    if (this.#native?.key !== key) {
      const all = offered ? registry.tools.filter(({ name }) => offered.includes(name)) : registry.tools;
      const isBrief = settings.preset === 'small';
      const describe = isBrief ? smallDescription : ({ description }: Tool) => description;
      const tools = nativeTools(this.#shown(all), { most: this.#mostCharacters, describe, isBrief });
      this.#native = { key, tools };
    }
    return this.#native.tools;
  }

  /** Names of the tools that the model is shown; undefined for all. */
  #offered(): readonly string[] | undefined {
    return this.ofStep ?? this.#agent.state.turn?.offered;
  }

  /** Maximum characters of the description of commands. Decided by length alone, so that the choice stays the same while the window does. */
  get #mostCharacters(): number {
    return this.#agent.model.contextWindow * CHARACTERS_PER_TOKEN * COMMANDS_SHARE;
  }

  /** Returns tools without those that are forbidden, and without those that a small model does not see. */
  #shown(tools: readonly Tool[]): Tool[] {
    const { ruleName, registry, settings } = this.#agent;
    const allowed = tools.filter(
      ({ name }) => !isForbidden(ruleName, name, settings.rules, registry.aliasesOf(name)),
    );
    return settings.preset === 'small' ? smallTools(allowed) : allowed;
  }
}
