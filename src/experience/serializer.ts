import { stringify, type JsonValue } from '../core/json.js';

/** Converts requests and replies to strings that can be stored, compared, and searched, and converts replies back. */
export interface ExperienceSerializer<Args, Reply> {
  /** Returns equal strings for equal requests, and an empty string when the request cannot be identified. */
  serializeReq(args: Args): string;
  serializeResp(reply: Reply): string;
  deserializeResp(text: string): Reply;
}

/** Returns strings unchanged and converts everything else to JSON. Replies are restored as strings. */
export const simpleSerializer: ExperienceSerializer<{ req: unknown }, unknown> = {
  serializeReq: ({ req }) => asText(req),
  serializeResp: asText,
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

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (stringify(value) ?? '');
}
