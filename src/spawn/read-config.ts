import * as z from 'zod/mini';
import { RoleZeroError } from '../core/error.js';
import { read } from '../core/schema.js';
import { isRecord } from '../core/json.js';
import type { ModelSettings, PageModelSettings, RoleSettings, SpawnConfig } from './settings.js';

const count = z.int().check(z.positive());
const milliseconds = z.union([z.number().check(z.positive()), z.literal(Infinity)]);

const model = {
  baseURL: z.url({ protocol: /^https?$/ }),
  model: z.string().check(z.minLength(1)),
  apiKey: z.optional(z.string()),
  contextWindow: z.optional(count),
  maxOutputTokens: z.optional(count),
  headers: z.optional(z.record(z.string(), z.string())),
  jsonSchema: z.optional(z.boolean()),
  images: z.optional(z.boolean()),
  seed: z.optional(z.boolean()),
  extraBody: z.optional(z.record(z.string(), z.unknown())),
  retries: z.optional(z.int().check(z.nonnegative())),
  timeouts: z.optional(
    z.strictObject({
      firstByteMs: z.optional(milliseconds),
      idleMs: z.optional(milliseconds),
      totalMs: z.optional(milliseconds),
    }),
  ),
  maxReplyLength: z.optional(count),
  price: z.optional(z.strictObject({ promptPerMillion: z.number(), completionPerMillion: z.number() })),
} satisfies Record<keyof ModelSettings, z.ZodMiniType>;

const pageModel = {
  provider: z.literal('page'),
  name: z.string().check(z.minLength(1)),
} satisfies Record<keyof PageModelSettings, z.ZodMiniType>;

const role = {
  name: z.optional(z.string()),
  profile: z.optional(z.string()),
  goal: z.optional(z.string()),
  constraints: z.optional(z.string()),
  desc: z.optional(z.string()),
  instruction: z.optional(z.string()),
  taskTypeDesc: z.optional(z.string()),
  example: z.optional(z.string()),
  maxReactLoop: z.optional(count),
  memoryK: z.optional(count),
  useSummary: z.optional(z.boolean()),
  answerWithinMs: z.optional(milliseconds),
  confirmUnderstanding: z.optional(z.boolean()),
  enableMemory: z.optional(z.boolean()),
  respondLanguage: z.optional(z.string()),
  policy: z.optional(z.unknown()), // the role reads them, and says what is wrong with each
  capabilities: z.optional(z.unknown()),
  budget: z.optional(
    z.strictObject({
      usd: z.optional(z.number().check(z.nonnegative())),
      tokens: z.optional(z.number().check(z.nonnegative())),
      calls: z.optional(z.number().check(z.nonnegative())),
      ms: z.optional(z.number().check(z.nonnegative())),
    }),
  ),
} satisfies Record<keyof RoleSettings, z.ZodMiniType>;

const common = { role: z.strictObject(role), browser: z.optional(z.boolean()), shell: z.optional(z.url()) };
// Two schemas instead of a union: a union reports only that neither fits.
const server = z.strictObject({ model: z.strictObject(model), ...common });
const page = z.strictObject({ model: z.strictObject(pageModel), ...common });

/**
 * What the page gave to `spawn`, checked. An option that does not exist is an error: it would be silently without effect.
 *
 * @throws RoleZeroError `invalid` naming every option that is wrong.
 */
export function readConfig(config: unknown): SpawnConfig {
  const given = withoutUndefined(config);
  const result = isOfPage(given) ? read(page, given) : read(server, given);
  if (result.success) return result.data as SpawnConfig; // no field is undefined: they were left out above
  const { issues } = result.error;
  const wrong = issues.map(({ path, message }) => `${path.join('.') || 'options'}: ${message}`);
  throw new RoleZeroError('invalid', `spawn() cannot work with these options. ${wrong.join('; ')}.`, {
    issues: issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

function isOfPage(config: unknown): boolean {
  return isRecord(config) && isRecord(config['model']) && config['model']['provider'] === 'page';
}

/** `{ apiKey: undefined }` means what `{}` means. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutUndefined(field)]));
}
