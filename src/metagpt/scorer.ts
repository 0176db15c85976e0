import { RoleZeroError } from '../core/error.js';
import type { ExperienceScore } from '../core/experience.js';
import { isRecord } from '../core/json.js';
import type { ChatModel } from '../core/model.js';
import { bounded } from '../experience/experience.js';

/** Scores replies. May throw; then the experience is not stored, with no other effect. */
export interface ExperienceScorer {
  evaluate(req: string, resp: string): Promise<ExperienceScore>;
}

/** Maximum number of characters of a request and of a reply in the scoring prompt. */
const MAX_SCORED_TEXT = 8_000;
/** Maximum length of the scoring reply, in characters. The rest is not read. */
const MAX_VERDICT = 16_000;

/** Creates a scorer that asks a model (purpose `score`). */
export function llmScorer(
  model: ChatModel,
  signal: AbortSignal = new AbortController().signal,
): ExperienceScorer {
  return {
    async evaluate(req, resp) {
      const messages = [{ role: 'user' as const, content: scorePrompt(req, resp) }];
      let reply = '';
      for await (const chunk of model.chat({ purpose: 'score', messages, signal })) {
        if (chunk.type === 'text-delta') reply += chunk.text;
        if (reply.length > MAX_VERDICT) break; // leaving the loop closes the stream
      }
      return readScore(reply);
    },
  };
}

/**
 * Reads the score in a reply such as ```` ```json {"val": 9, "reason": "…"} ``` ````, with or without the fence. Clamps it to 1 to 10.
 * @throws RoleZeroError `invalid` when there is no readable score.
 */
export function readScore(reply: string): ExperienceScore {
  const fenced = /```(?:json)?\s*(\{[\s\S]*?\})\s*```/.exec(reply)?.[1];
  const bare = reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1);
  for (const text of fenced === undefined ? [bare] : [fenced, bare]) {
    const score = parseScore(text);
    if (score !== null) return score;
  }
  throw new RoleZeroError('invalid', 'The reply holds no score: {"val": 1 to 10, "reason": "…"} is needed.', {
    reply: reply.slice(0, 200),
  });
}

function parseScore(text: string): ExperienceScore | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const { val, reason } = value;
  const number = typeof val === 'string' && val.trim() !== '' ? Number(val) : val;
  if (typeof number !== 'number' || !Number.isFinite(number)) return null;
  return bounded({ val: number, reason: typeof reason === 'string' ? reason : '' });
}

function scorePrompt(req: string, resp: string): string {
  return `Judge how well the response answers the request: whether it is correct, complete, and of use as an example the next time.
<request>
${req.slice(0, MAX_SCORED_TEXT)}
</request>
<response>
${resp.slice(0, MAX_SCORED_TEXT)}
</response>
Reply with exactly one JSON object in a json code fence: a whole number from 1 (of no use) to 10 (perfect), and one sentence why.
\`\`\`json
{"val": 7, "reason": "It works, but leaves out the last column."}
\`\`\``;
}
