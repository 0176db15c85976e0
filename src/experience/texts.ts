import type { Experience } from '../core/experience.js';
import { stringify, type JsonValue } from '../core/json.js';
import { scoreOf } from './experience.js';

/** Converts requests and replies to strings that can be stored, compared, and searched, and converts replies back. */
export interface ExperienceSerializer<Args, Reply> {
  /** Returns equal strings for equal requests, and an empty string when the request cannot be identified. */
  serializeReq(args: Args): string;
  serializeResp(reply: Reply): string;
  deserializeResp(text: string): Reply;
}

/** Returns strings unchanged and converts everything else to JSON. Replies are restored as strings. */
export const simpleSerializer: ExperienceSerializer<{ req: unknown }, unknown> = {
  serializeReq: ({ req }) => serialize(req),
  serializeResp: serialize,
  deserializeResp: (text) => text,
};

/** Request of a RoleZero: the messages of its prompt, and the state that its reply depends on. */
export interface RoleZeroArgs {
  req: readonly { role: string; content: unknown }[];
  stateData?: Readonly<Record<string, JsonValue>>;
}

/** Start of an observation that contains the content of a file. */
const FILE_READ = 'Command Editor.read executed: file_path';

/**
 * Identifies a RoleZero's request by the files it has read and by its state, because the rest of the conversation varies. Skips messages
 * whose content is not a string.
 */
export const roleZeroSerializer: ExperienceSerializer<RoleZeroArgs, string> = {
  serializeReq({ req, stateData = {} }) {
    if (req.length === 0) return '';
    const fileReads = req.filter(({ content }) => typeof content === 'string' && content.includes(FILE_READ));
    return JSON.stringify([
      ...fileReads.map(({ role, content }) => ({ role, content })),
      { role: 'user', content: stateData },
    ]);
  },
  serializeResp: (reply) => reply,
  deserializeResp: (text) => text,
};

function serialize(value: unknown): string {
  return typeof value === 'string' ? value : (stringify(value) ?? '');
}

/** Adds experiences to a request. */
export interface ContextBuilder<Req> {
  /** Returns a new request with the experiences. Does not change the given request. */
  build(req: Req, experiences: readonly Experience[]): Req;
}

/** Placeholder in a prompt that is replaced by the experiences. */
const EXPERIENCE_PLACEHOLDER = '<experience>';

/** Formats each experience as one numbered line. With `limit`, truncates each request and reply to that many characters. */
export function formatExperiences(experiences: readonly Experience[], limit = Infinity): string {
  const lines = experiences.map((experience, index) => {
    const { req, resp } = experience;
    return `${index + 1}. Given the request: ${shorten(req, limit)}, We can get the response: ${shorten(resp, limit)}, which scored: ${scoreOf(experience) ?? 'N/A'}.`;
  });
  return lines.join('\n');
}

/** Puts the experiences before a request that is a string. Returns other requests, and all requests without experiences, unchanged. */
export const simpleContextBuilder: ContextBuilder<unknown> = {
  build: (req, experiences) =>
    typeof req !== 'string' || experiences.length === 0
      ? req
      : `# Past Experience\n${formatExperiences(experiences)}\n\n# Request\n${req}`,
};

/**
 * Replaces the placeholder in the last message of a RoleZero prompt with the experiences. Without experiences, removes the whole section,
 * including its heading.
 */
export const roleZeroContextBuilder: ContextBuilder<readonly { role: string; content: unknown }[]> = {
  build(req, experiences) {
    const last = req.at(-1);
    if (typeof last?.content !== 'string') return req;
    // A replacer function, so that `$` sequences in experiences are not read as replacement patterns.
    const content =
      experiences.length === 0
        ? withoutSection(last.content)
        : last.content.replaceAll(EXPERIENCE_PLACEHOLDER, () => formatExperiences(experiences));
    return [...req.slice(0, -1), { ...last, content }];
  },
};

/** Removes headings with nothing but the placeholder under them, and all other placeholders. */
function withoutSection(text: string): string {
  return text
    .replace(/^#[^\n]*\n\s*<experience>[^\S\n]*(?:\n\s*|$)/gm, '')
    .replaceAll(EXPERIENCE_PLACEHOLDER, '');
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
