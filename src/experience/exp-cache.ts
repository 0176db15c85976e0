import { defined } from '../base/defined.js';
import { RoleZeroError } from '../base/error.js';
import type { Experience, ExperienceScore } from '../base/experience.js';
import { idOf } from '../base/message.js';
import { simpleContextBuilder, type ContextBuilder } from './context-builder.js';
import { isPerfect, type PerfectJudge } from './perfect-judge.js';
import type { ExperiencePool, ExperienceQuery } from './pool.js';
import type { ExperienceScorer } from './scorer.js';
import { simpleSerializer, type ExperienceSerializer } from './serializer.js';

export interface ExpCacheOptions<Args extends { req: unknown }, Reply> {
  pool: Pick<ExperiencePool, 'enabled' | 'isWritable' | 'queryExps' | 'createExp'>;
  /**
   * Default: `Class.method` when it is called on an instance of a class, else the function's name. Functions without a name share one:
   * give them a tag.
   */
  tag?: string;
  queryType?: ExperienceQuery['queryType'];
  /** Without one, what is kept has no score and is never perfect. */
  scorer?: ExperienceScorer;
  perfectJudge?: PerfectJudge;
  contextBuilder?: ContextBuilder<Args['req']>;
  serializer?: ExperienceSerializer<Args, Reply>;
}

/**
 * Puts a pool around a function that takes its request as `req` (spec 19.4). A perfect experience is given in place of a call; others are
 * put into the request. What the function replies is scored and kept; no fault of pool or scorer reaches the caller.
 *
 * @example
 * class Writer {
 *   write = expCache(async function write({ req }: { req: string }) { return ask(req); }, { pool });
 * }
 * @throws RoleZeroError `invalid` when there is no `req`; whatever the function throws.
 */
export function expCache<Args extends { req: unknown }, Reply>(
  call: (args: Args) => Reply | Promise<Reply>,
  options: ExpCacheOptions<Args, Reply>,
): (this: unknown, args: Args) => Promise<Reply> {
  const name = call.name === '' ? 'anonymous' : call.name;
  const { pool, scorer, queryType = 'semantic', perfectJudge = isPerfect } = options;
  const contextBuilder = options.contextBuilder ?? simpleContextBuilder;
  const serializer = options.serializer ?? (simpleSerializer as ExperienceSerializer<Args, Reply>);

  return async function (this: unknown, args: Args): Promise<Reply> {
    if ((args as Partial<Args> | undefined)?.req === undefined) {
      throw new RoleZeroError(
        'invalid',
        `The cached function ${name} must be called with its request as "req".`,
      );
    }
    const reply = (request: Args): Promise<Reply> => Promise.resolve(call.call(this, request));
    if (!pool.enabled) return reply(args);
    const tag = options.tag ?? tagOf(this, name);
    const req = serializer.serializeReq(args);
    const found = await pool.queryExps(req, { tag, queryType });
    const known = found.find((experience) => experience.resp !== '' && perfectJudge(experience, req));
    if (known !== undefined) return serializer.deserializeResp(known.resp);
    const given = await reply({ ...args, req: contextBuilder.build(args.req, found) });
    if (pool.isWritable) await keep({ tag, req, resp: serializer.serializeResp(given) });
    return given;
  };

  async function keep(experience: Pick<Experience, 'tag' | 'req' | 'resp'>): Promise<void> {
    let score: ExperienceScore | undefined;
    try {
      score = await scorer?.evaluate(experience.req, experience.resp);
    } catch {
      return; // what nobody could judge is not kept; the caller has the reply all the same
    }
    await pool.createExp({ ...experience, ...defined({ metric: score && { score } }) });
  }
}

function tagOf(owner: unknown, name: string): string {
  if (typeof owner !== 'object' || owner === null) return name;
  const type: unknown = owner.constructor;
  return type === undefined || type === Object ? name : `${idOf(owner)}.${name}`;
}
