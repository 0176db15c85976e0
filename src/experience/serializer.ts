import type { JsonValue } from '../base/json.js';

/** How requests and replies become texts that can be kept, compared and searched, and back (spec 19.4). */
export interface ExperienceSerializer<Args, Reply> {
  /** Equal for equal requests; an empty text when there is nothing to remember it by. */
  serializeReq(args: Args): string;
  serializeResp(reply: Reply): string;
  deserializeResp(text: string): Reply;
}

/** Texts as they are, everything else as JSON. Replies come back as texts. */
export const simpleSerializer: ExperienceSerializer<{ req: unknown }, unknown> = {
  serializeReq: ({ req }) => asText(req),
  serializeResp: asText,
  deserializeResp: (text) => text,
};

/** What a RoleZero asks: the messages of its prompt, and the state that its reply depends on. */
export interface RoleZeroArgs {
  req: readonly { role: string; content: unknown }[];
  stateData?: Readonly<Record<string, JsonValue>>;
}

/** What an observation of a file that was read begins with. */
const FILE_READ = 'Command Editor.read executed: file_path';

/**
 * A RoleZero's request is remembered by the files it has read and by its state; the rest of the conversation differs from time to time.
 * Messages whose content is not a text are passed over.
 */
export const roleZeroSerializer: ExperienceSerializer<RoleZeroArgs, string> = {
  serializeReq({ req, stateData = {} }) {
    if (req.length === 0) return '';
    const kept = req.filter(({ content }) => typeof content === 'string' && content.includes(FILE_READ));
    return JSON.stringify([
      ...kept.map(({ role, content }) => ({ role, content })),
      { role: 'user', content: stateData },
    ]);
  },
  serializeResp: (reply) => reply,
  deserializeResp: (text) => text,
};

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (stringify(value) ?? '');
}

/** Undefined for what JSON cannot say, a function for example. */
const stringify = JSON.stringify as (value: unknown) => string | undefined;
