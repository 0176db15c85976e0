import * as s from '../core/schema.js';
import { RoleZeroError } from '../core/error.js';
import { isUrl } from '../core/is-url.js';
import { isRecord } from '../core/json.js';
import type { ModelSettings, PageModelSettings, RoleSettings, SpawnConfig } from './settings.js';

const address = s.custom<string>((value) =>
  typeof value === 'string' && isUrl(value) ? null : 'must be a URL',
);
const webAddress = s.custom<string>((value) =>
  typeof value === 'string' && /^https?:/i.test(value) && isUrl(value)
    ? null
    : 'must be a URL that starts with http:// or https://',
);
const count = s.integer({ minimum: 1 });
const toolCalls = s.custom<boolean | 'required'>((value) =>
  typeof value === 'boolean' || value === 'required' ? null : "must be true, false, or 'required'",
);
const milliseconds = s.orInfinity(s.number({ exclusiveMinimum: 0 }));

const modelFields = {
  baseURL: webAddress,
  model: s.string({ minLength: 1 }),
  apiKey: s.optional(s.string()),
  contextWindow: s.optional(count),
  maxOutputTokens: s.optional(count),
  parameters: s.optional(count),
  headers: s.optional(s.record(s.string())),
  jsonSchema: s.optional(s.boolean()),
  toolCalls: s.optional(toolCalls),
  images: s.optional(s.boolean()),
  seed: s.optional(s.boolean()),
  extraBody: s.optional(s.record(s.anything())),
  retries: s.optional(s.integer({ minimum: 0 })),
  timeouts: s.optional(
    s.strictObject({
      firstByteMs: s.optional(milliseconds),
      idleMs: s.optional(milliseconds),
      totalMs: s.optional(milliseconds),
    }),
  ),
  maxReplyLength: s.optional(count),
  price: s.optional(s.strictObject({ promptPerMillion: s.number(), completionPerMillion: s.number() })),
} satisfies Record<keyof ModelSettings, s.Schema<unknown>>;

const pageModelFields = {
  provider: s.literal('page'),
  name: s.string({ minLength: 1 }),
} satisfies Record<keyof PageModelSettings, s.Schema<unknown>>;

const role = {
  name: s.optional(s.string()),
  profile: s.optional(s.string()),
  goal: s.optional(s.string()),
  constraints: s.optional(s.string()),
  description: s.optional(s.string()),
  instruction: s.optional(s.string()),
  taskTypes: s.optional(s.string()),
  example: s.optional(s.string()),
  maxSteps: s.optional(count),
  compactAt: s.optional(s.number({ minimum: 0, maximum: 1 })),
  maxMessages: s.optional(count),
  summarize: s.optional(s.boolean()),
  answerWithinMs: s.optional(milliseconds),
  confirmUnderstanding: s.optional(s.boolean()),
  language: s.optional(s.string()),
  preset: s.optional(s.oneOf(['full', 'small'])),
  policy: s.optional(s.anything()), // the role reads them, and says what is wrong with each
  capabilities: s.optional(s.anything()),
  temperature: s.optional(s.anything()),
  budget: s.optional(
    s.strictObject({
      usd: s.optional(s.number({ minimum: 0 })),
      tokens: s.optional(s.number({ minimum: 0 })),
      calls: s.optional(s.number({ minimum: 0 })),
      ms: s.optional(s.number({ minimum: 0 })),
    }),
  ),
} satisfies Record<keyof RoleSettings, s.Schema<unknown>>;

const common = { role: s.strictObject(role), browser: s.optional(s.boolean()), shell: s.optional(address) };
// Two schemas instead of a union: a union reports only that neither fits.
const server = s.strictObject({ model: s.strictObject(modelFields), ...common });
const page = s.strictObject({ model: s.strictObject(pageModelFields), ...common });

/**
 * What the page gave to `spawn`, checked. An option that does not exist is an error: it would be silently without effect.
 *
 * @throws RoleZeroError `invalid` naming every option that is wrong.
 */
export function readSpawnConfig(config: unknown): SpawnConfig {
  const given = withoutUndefined(config);
  const result = isOfPage(given) ? s.read(page, given) : s.read(server, given);
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
