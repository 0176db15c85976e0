import type { Experience } from '../base/experience.js';
import { scoreOf } from './experience.js';

/** Puts experiences into a request (spec 19.4). */
export interface ContextBuilder<Req> {
  /** A request of its own; the given one stays as it is. */
  build(req: Req, experiences: readonly Experience[]): Req;
}

/** Where a prompt wants its experiences. */
const EXPERIENCE_PLACEHOLDER = '<experience>';

/** One numbered line an experience; with `limit`, requests and replies are cut to so many characters each. */
export function formatExperiences(experiences: readonly Experience[], limit = Infinity): string {
  const lines = experiences.map((experience, index) => {
    const { req, resp } = experience;
    return `${index + 1}. Given the request: ${cut(req, limit)}, We can get the response: ${cut(resp, limit)}, which scored: ${scoreOf(experience) ?? 'N/A'}.`;
  });
  return lines.join('\n');
}

/** For a request that is one text: the experiences stand before it. Other requests, and those without experiences, are left alone. */
export const simpleContextBuilder: ContextBuilder<unknown> = {
  build: (req, experiences) =>
    typeof req !== 'string' || experiences.length === 0
      ? req
      : `# Past Experience\n${formatExperiences(experiences)}\n\n# Request\n${req}`,
};

/**
 * For the messages of a RoleZero's prompt: the placeholder in the last one gives way to the experiences. Without any the whole section goes,
 * its heading included.
 */
export const roleZeroContextBuilder: ContextBuilder<readonly { role: string; content: unknown }[]> = {
  build(req, experiences) {
    const last = req.at(-1);
    if (typeof last?.content !== 'string') return req;
    // A function: what experiences say must not be read as a replacement pattern.
    const content =
      experiences.length === 0
        ? withoutSection(last.content)
        : last.content.replaceAll(EXPERIENCE_PLACEHOLDER, () => formatExperiences(experiences));
    return [...req.slice(0, -1), { ...last, content }];
  },
};

/** A heading with nothing but the placeholder under it goes with it; elsewhere the placeholder alone. */
function withoutSection(text: string): string {
  return text
    .replace(/^#[^\n]*\n\s*<experience>[^\S\n]*(?:\n\s*|$)/gm, '')
    .replaceAll(EXPERIENCE_PLACEHOLDER, '');
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
