import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { Experience, ExperienceScore } from '../core/experience.js';
import { idOf } from '../core/message.js';
import {
  simpleContextBuilder,
  simpleSerializer,
  type ContextBuilder,
  type ExperienceSerializer,
} from '../experience/texts.js';
import { isPerfect, type PerfectJudge } from '../experience/experience.js';
import type { ExperiencePool, ExperienceQuery } from '../experience/pool.js';
import type { ExperienceScorer } from './scorer.js';

export interface ExpCacheOptions<Args extends { req: unknown }, Reply> {
  pool: Pick<ExperiencePool, 'enabled' | 'isWritable' | 'queryExps' | 'createExp'>;
  /**
   * By default, `Class.method` when called on an instance of a class, otherwise the function's name. All anonymous functions share one tag,
   * so set it for them.
   */
  tag?: string;
  queryType?: ExperienceQuery['queryType'];
  /** Without a scorer, stored experiences have no score and are never perfect. */
  scorer?: ExperienceScorer;
  perfectJudge?: PerfectJudge;
  contextBuilder?: ContextBuilder<Args['req']>;
  serializer?: ExperienceSerializer<Args, Reply>;
}

/**
 * Wraps a function that takes its request as `req` with an experience pool. A perfect experience replaces the call; other experiences are
 * added to the request. The reply is scored and stored. Errors of the pool or the scorer never reach the caller.
 *
 * @example
 * class Writer {
 *   write = expCache(async function write({ req }: { req: string }) { return ask(req); }, { pool });
 * }
 * @throws RoleZeroError `invalid` when `req` is missing; any error of the function.
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
      return; // a reply without a score is not stored, but the caller still receives it
    }
    await pool.createExp({ ...experience, ...defined({ metric: score && { score } }) });
  }
}

function tagOf(owner: unknown, name: string): string {
  if (typeof owner !== 'object' || owner === null) return name;
  const type: unknown = owner.constructor;
  return type === undefined || type === Object ? name : `${idOf(owner)}.${name}`;
}
