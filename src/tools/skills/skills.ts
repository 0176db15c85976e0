import { parse } from 'yaml';
import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { RoleZeroError } from '../../core/error.js';
import type { FileInfo, Files } from '../../core/files.js';
import { isRecord } from '../../core/json.js';
import * as s from '../../core/schema.js';
import type { SourcedTools, ToolSource, ToolSourceContext } from '../../core/tool-source.js';
import { builtInTool, type Tool } from '../../core/tool.js';

const SKILL_GROUP = 'Skill';
/** Maximum number of files of a skill that are listed with its instructions. */
const MAX_SKILL_FILES = 100;

/** Options of `skills()`. */
interface SkillsOptions {
  /** Folders of the session that contain skills, each in a folder of its own: `/skills/pdf/SKILL.md`. @default ['/skills'] */
  folders?: readonly string[];
  /** Maximum number of skills that are listed to the model; the first by path. @default 50 */
  limit?: number;
}

const SKILLS_OPTION_KINDS: Record<keyof SkillsOptions, OptionKind> = { folders: 'list', limit: true };
/** Limits of the format, from https://agentskills.io/specification. */
const MAX_SKILL_NAME = 64;
const MAX_DESCRIPTION = 1_024;
/** Maximum characters of the metadata, which are read at each step. */
const MAX_METADATA = 10_000;
/** Characters that a reader does not see. */
const HIDDEN_CHARACTERS = /(?!\n)[\p{Default_Ignorable_Code_Point}\p{C}\u2028\u2029]/gu;

/**
 * Agent Skills (https://agentskills.io) in the files of the session. The model is shown the name and the description of each skill, loads
 * its instructions with `Skill.load` when a task needs them, and reads its other files the same way. Scripts of a skill run only in the
 * sandboxed shell, if the role has one. Skills that are added or changed are found before the next step.
 *
 * A skill is as trusted as its files: imported ones are untrusted unless the import says `trusted: true`, and a role that is shown or
 * loads one counts as having read untrusted content.
 *
 * @example new RoleZero({ model, tools: [editor(), terminal(), skills()] })
 * @throws RoleZeroError `invalid` naming the option that cannot be used.
 */
export function skills(options: SkillsOptions = {}): ToolSource {
  checkOptions('skills()', options, SKILLS_OPTION_KINDS);
  const { folders = ['/skills'], limit = 50 } = options;
  if (!Number.isInteger(limit) || limit < 1)
    throw new RoleZeroError(
      'invalid',
      `\`limit\` of skills() must be a whole number above 0, but is ${limit}.`,
      {
        limit,
      },
    );
  const roots = folders.map(
    (folder) =>
      `/${folder
        .split('/')
        .filter((part) => part !== '')
        .join('/')}`,
  );
  let last: { key: string; tools: readonly Tool[] } = { key: '', tools: [] };
  return {
    group: SKILL_GROUP,
    async current(context): Promise<SourcedTools> {
      const { found, problems, cut } = await findSkills(context, roots, limit);
      const key = JSON.stringify(found);
      if (key !== last.key) last = { key, tools: found.length === 0 ? [] : [loadTool(found)] };
      const sources = [...new Set(found.flatMap(({ untrusted }) => untrusted))];
      return {
        tools: last.tools,
        untrusted: sources.length === 0 ? null : `skills from ${sources.join(', ')}`,
        notice: skillsNotice(problems, cut),
      };
    },
  };
}

/** Describes what of the skills is missing; null when nothing is. */
function skillsNotice(problems: readonly string[], cut: readonly string[]): string | null {
  const unusable = problems.length === 0 ? [] : [`These skills cannot be used: ${problems.join('; ')}.`];
  const about = `The descriptions of these skills are cut off after ${MAX_DESCRIPTION} characters`;
  const all = [...unusable, ...(cut.length === 0 ? [] : [`${about}: ${cut.join(', ')}.`])];
  return all.length === 0 ? null : all.join(' ');
}

async function findSkills(
  { files, signal }: ToolSourceContext,
  roots: readonly string[],
  limit: number,
): Promise<{ found: Skill[]; problems: string[]; cut: string[] }> {
  const found = new Map<string, Skill>();
  const problems: string[] = [];
  const cut: string[] = [];
  if (files === undefined) return { found: [], problems, cut };
  const all = await Promise.all(roots.map((root) => files.glob(`${root === '/' ? '' : root}/*/SKILL.md`)));
  for (const info of all.flat()) {
    signal.throwIfAborted();
    const skill = await readSkill(files, info);
    // The path of an untrusted file may be an instruction.
    const where = info.untrusted === undefined ? info.path : 'a skill with untrusted content';
    if (typeof skill === 'string') problems.push(`${where}: ${skill}`);
    else if (skill === null) continue;
    else if (found.has(skill.name)) problems.push(`${where}: another folder has a skill of this name`);
    else if (found.size >= limit) problems.push(`${where}: at most ${limit} skills are used (\`limit\`)`);
    else {
      found.set(skill.name, skill);
      if (skill.isCut) cut.push(where);
    }
  }
  return { found: [...found.values()], problems, cut };
}

/** Returns a skill, or why it cannot be used; null when a rule of the application restricts it. */
async function readSkill(
  files: Pick<Files, 'read'>,
  { path, untrusted = [] }: FileInfo,
): Promise<Skill | string | null> {
  const folder = path.slice(0, path.lastIndexOf('/'));
  try {
    const metadata = readMetadata(await files.read(path), folder.slice(folder.lastIndexOf('/') + 1));
    return typeof metadata === 'string' ? metadata : { ...metadata, folder, untrusted };
  } catch (error) {
    if (error instanceof RoleZeroError && error.code === 'permission') return null;
    throw error;
  }
}

function loadTool(found: readonly Skill[]): Tool {
  const list = found.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  return builtInTool({
    name: `${SKILL_GROUP}.load`,
    activity: { verb: 'Reading the skill', argument: 'name' },
    description: `Load the instructions of a skill, or another file of it. Do this first when a task fits the description of a skill. The skills:\n${list}`,
    input: s.args({
      name: s.string({ description: 'Name of the skill.' }),
      file: s.optional(
        s.string({ description: 'Path of a file in the folder of the skill. Default: its instructions.' }),
      ),
    }),
    effect: 'pure',
    run: async ({ name, file }, { files }) => {
      const skill = found.find((each) => each.name === name);
      if (skill === undefined)
        throw new RoleZeroError(
          'not-found',
          `There is no skill ${JSON.stringify(name)}. The skills are ${found.map((each) => each.name).join(', ')}.`,
        );
      return file === undefined ? instructions(files, skill) : files.read(pathInSkill(skill, file));
    },
  });
}

/** The instructions of a skill and the list of its other files. */
async function instructions(files: Pick<Files, 'read' | 'list'>, { folder }: Skill): Promise<string> {
  const main = `${folder}/SKILL.md`;
  const text = await files.read(main);
  const others = (await files.list(folder, { recursive: true })).filter(
    ({ path, type }) => type === 'file' && path !== main,
  );
  const listed = others.slice(0, MAX_SKILL_FILES).map(({ path }) => path.slice(folder.length + 1));
  const more = others.length > MAX_SKILL_FILES ? [`and ${others.length - MAX_SKILL_FILES} more`] : [];
  const about = others.length === 0 ? '' : `\n\nOther files in ${folder}: ${[...listed, ...more].join(', ')}`;
  return `${splitSkill(text)?.instructions ?? text}${about}`;
}

/** Returns the path of a file of a skill. @throws RoleZeroError `invalid` for a path outside its folder. */
function pathInSkill({ folder }: Skill, file: string): string {
  const relative = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || relative.startsWith('/'))
    throw new RoleZeroError(
      'invalid',
      `${JSON.stringify(file)} is not in the folder of the skill, ${folder}.`,
      { file },
    );
  return `${folder}/${parts.join('/')}`;
}

/** A skill in the files of the session. */
interface Skill {
  name: string;
  /** At most 1,024 characters; a longer one is cut off and ends with `…`. */
  description: string;
  isCut: boolean;
  /** Folder of the skill: the one with `SKILL.md`. */
  folder: string;
  /** Untrusted sources of `SKILL.md`. */
  untrusted: readonly string[];
}

/** Splits `SKILL.md` into its metadata (YAML between two lines `---`) and its instructions. Null without metadata. */
function splitSkill(text: string): { metadata: string; instructions: string } | null {
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
    return `\`name\` must be 1 to ${MAX_SKILL_NAME} letters a to z, digits and single hyphens`;
  if (name !== folder) return '`name` differs from the name of its folder';
  const about =
    typeof description === 'string'
      ? description.replace(HIDDEN_CHARACTERS, '').replace(/\s+/g, ' ').trim()
      : '';
  if (about === '') return '`description` is missing';
  const isCut = about.length > MAX_DESCRIPTION;
  return { name, description: isCut ? `${about.slice(0, MAX_DESCRIPTION - 1)}…` : about, isCut };
}

function isName(name: string): boolean {
  return name.length <= MAX_SKILL_NAME && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

function yaml(text: string): Record<string, unknown> | null {
  try {
    const values: unknown = parse(text, { maxAliasCount: 0 });
    return isRecord(values) ? values : null;
  } catch {
    return null;
  }
}
