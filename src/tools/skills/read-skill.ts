import { parse } from 'yaml';
import { isRecord } from '../../core/json.js';

/** A skill in the files of the session. */
export interface Skill {
  name: string;
  /** At most 1,024 characters; a longer one is cut off and ends with `…`. */
  description: string;
  isCut: boolean;
  /** Folder of the skill: the one with `SKILL.md`. */
  folder: string;
  /** Untrusted sources of `SKILL.md`. */
  untrusted: readonly string[];
}

/** Limits of the format, from https://agentskills.io/specification. */
const MAX_NAME = 64;
export const MAX_DESCRIPTION = 1_024;
/** Maximum characters of the metadata, which are read at each step. */
const MAX_METADATA = 10_000;

/** Characters that a reader does not see. */
const UNSEEN = /(?!\n)[\p{Default_Ignorable_Code_Point}\p{C}\u2028\u2029]/gu;

/** Splits `SKILL.md` into its metadata (YAML between two lines `---`) and its instructions. Null without metadata. */
export function splitSkill(text: string): { metadata: string; instructions: string } | null {
  const match = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)([^]*)$/.exec(text);
  return match === null ? null : { metadata: match[1] ?? '', instructions: (match[2] ?? '').trim() };
}

/**
 * Reads the metadata of a skill.
 *
 * @param folder name of the folder, which is also the name of the skill
 * @returns a text that says what is wrong when the skill cannot be used; it quotes nothing of the file
 */
export function readMetadata(
  text: string,
  folder: string,
): Pick<Skill, 'name' | 'description' | 'isCut'> | string {
  const metadata = splitSkill(text)?.metadata;
  if (metadata === undefined) return 'it does not begin with metadata between two lines ---';
  if (metadata.length > MAX_METADATA) return `its metadata is longer than ${MAX_METADATA} characters`;
  const values = yaml(metadata);
  if (values === null) return 'its metadata is not valid YAML';
  const { name, description } = values;
  if (typeof name !== 'string' || !isName(name))
    return `\`name\` must be 1 to ${MAX_NAME} letters a to z, digits and single hyphens`;
  if (name !== folder) return '`name` differs from the name of its folder';
  const about =
    typeof description === 'string' ? description.replace(UNSEEN, '').replace(/\s+/g, ' ').trim() : '';
  if (about === '') return '`description` is missing';
  const isCut = about.length > MAX_DESCRIPTION;
  return { name, description: isCut ? `${about.slice(0, MAX_DESCRIPTION - 1)}…` : about, isCut };
}

function isName(name: string): boolean {
  return name.length <= MAX_NAME && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

function yaml(text: string): Record<string, unknown> | null {
  try {
    const values: unknown = parse(text, { maxAliasCount: 0 });
    return isRecord(values) ? values : null;
  } catch {
    return null;
  }
}
