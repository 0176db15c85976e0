import * as z from 'zod';
import { RoleZeroError } from '../base/error.js';
import { isRecord } from '../base/json.js';
import type { ModelSettings, PageModelSettings, RoleSettings, SpawnConfig } from './settings.js';

const count = z.number().int().positive();
const milliseconds = z.union([z.number().positive(), z.literal(Infinity)]);

const model = {
  baseURL: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  apiKey: z.string().optional(),
  contextWindow: count.optional(),
  maxOutputTokens: count.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  jsonSchema: z.boolean().optional(),
  images: z.boolean().optional(),
  seed: z.boolean().optional(),
  extraBody: z.record(z.string(), z.unknown()).optional(),
  retries: z.number().int().nonnegative().optional(),
  timeouts: z
    .strictObject({
      firstByteMs: milliseconds.optional(),
      idleMs: milliseconds.optional(),
      totalMs: milliseconds.optional(),
    })
    .optional(),
  maxReplyLength: count.optional(),
  price: z.strictObject({ promptPerMillion: z.number(), completionPerMillion: z.number() }).optional(),
} satisfies Record<keyof ModelSettings, z.ZodType>;

const pageModel = {
  provider: z.literal('page'),
  name: z.string().min(1),
} satisfies Record<keyof PageModelSettings, z.ZodType>;

const rule = z.strictObject({
  tool: z.string(),
  role: z.string().optional(),
  path: z.string().optional(),
  origin: z.string().optional(),
  args: z.record(z.string(), z.string()).optional(),
  do: z.enum(['allow', 'ask', 'deny']),
  lifetime: z.enum(['once', 'run', 'session']).optional(),
});

const patterns = z.array(z.string()).optional();

const role = {
  name: z.string().optional(),
  profile: z.string().optional(),
  goal: z.string().optional(),
  constraints: z.string().optional(),
  desc: z.string().optional(),
  instruction: z.string().optional(),
  taskTypeDesc: z.string().optional(),
  example: z.string().optional(),
  maxReactLoop: count.optional(),
  memoryK: count.optional(),
  useSummary: z.boolean().optional(),
  answerWithinMs: milliseconds.optional(),
  confirmUnderstanding: z.boolean().optional(),
  enableMemory: z.boolean().optional(),
  respondLanguage: z.string().optional(),
  policy: z.array(rule).optional(),
  capabilities: z.strictObject({ outside: patterns, origins: patterns, write: patterns }).optional(),
  budget: z
    .strictObject({
      usd: z.number().nonnegative().optional(),
      tokens: z.number().nonnegative().optional(),
      calls: z.number().nonnegative().optional(),
      ms: z.number().nonnegative().optional(),
    })
    .optional(),
} satisfies Record<keyof RoleSettings, z.ZodType>;

const common = { role: z.strictObject(role), browser: z.boolean().optional(), shell: z.url().optional() };
// One schema each: of a union only one error would be told, that none of the two fits.
const server = z.strictObject({ model: z.strictObject(model), ...common });
const page = z.strictObject({ model: z.strictObject(pageModel), ...common });

/**
 * What the page gave to `spawn`, checked. An option that does not exist is an error: it would be silently without effect.
 *
 * @throws RoleZeroError `invalid` naming every option that is wrong.
 */
export function readConfig(config: unknown): SpawnConfig {
  const given = withoutUndefined(config);
  const read = isOfPage(given) ? page.safeParse(given) : server.safeParse(given);
  if (read.success) return read.data as SpawnConfig; // no field is undefined: they were left out above
  const { issues } = read.error;
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
