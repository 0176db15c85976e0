import type { UserChanges, Workspace } from '../core/files.js';
import { linesInWords } from '../tools/editor/text-lines.js';
import { encodingNote, textIn } from '../tools/editor/workspace-text.js';
import type { Prompts } from '../agent/prompt/prompts.js';
import { fill } from '../agent/prompt/template.js';
import type { AgentPart, PartAgent, Section } from '../agent/runtime/part.js';

const FILES_PART = 'files';

/** Maximum number of paths that are named; the others are counted. */
const MAX_NAMED_PATHS = 20;
/** Maximum bytes of a file whose lines are counted. */
const MAX_COUNTED = 1_000_000;

/** Reports to the model which files there are, and what others have changed. */
export function fileChanges(agent: PartAgent): AgentPart {
  /** Number of the last change that the model has received. */
  const sent = (): number | undefined => {
    const { upTo } = agent.state.parts[FILES_PART] ?? {};
    return typeof upTo === 'number' ? upTo : undefined;
  };
  const section = async (): Promise<Section> => {
    const { workspace, whole } = agent.context;
    await whole?.();
    const { seenFiles = {} } = agent.state;
    let written: ReadonlySet<string> | null = null; // there may be thousands of new files
    const knows = (path: string): boolean =>
      Object.hasOwn(seenFiles, path) || (written ??= workspace.pathsChangedBy(agent.name)).has(path);
    const { upTo, text } = await fileNews(workspace, { upTo: sent(), knows }, agent.settings.prompts);
    const markSent = () => void (agent.state.parts[FILES_PART] = { upTo });
    return { text: () => text, remains: true, markSent };
  };
  return {
    name: FILES_PART,
    section: ({ asksForCommands }) =>
      asksForCommands && sent() !== agent.context.workspace.lastChange ? section() : null,
    seen: () => ({ files: sent() ?? 0 }),
  };
}

/** What the model does not know about the files yet: which there are, and what the user has changed: edits, imports, undone steps. */
export interface FileNews {
  /** Stored when the model has received the text. */
  upTo: number;
  /** Empty when there is nothing to report. */
  text: string;
}

/** What the model knows about the files. */
interface KnownFiles {
  /** Number of the last change that the model has received; undefined before its first message. */
  upTo: number | undefined;
  /** Returns whether it has seen or written a file at a path. */
  knows: (path: string) => boolean;
}

/** Lists the files in the first message. Later, lists files of the user that the model has never seen, and names changes of the others. */
export async function fileNews(
  workspace: Pick<Workspace, 'changedByUser' | 'list' | 'read' | 'readBytes' | 'stat'>,
  known: KnownFiles,
  prompts: Pick<Prompts, 'files' | 'filesChanged'>,
): Promise<FileNews> {
  const { upTo, changes, strange } = workspace.changedByUser(known.upTo ?? 0);
  if (known.upTo === undefined) {
    const all = (await workspace.list('/', { recursive: true })).filter(({ type }) => type === 'file');
    const own = all.filter(({ untrusted = [] }) => untrusted.length === 0).map(({ path }) => path);
    const files = listed(await sized(workspace, own), own.length, all.length - own.length);
    return { upTo, text: files === '' ? '' : fill(prompts.files, { files }) };
  }
  const isUnseen = ({ path, change }: UserChanges['changes'][number]): boolean =>
    change === 'written' && !known.knows(path);
  const added = changes.filter(isUnseen).map(({ path }) => path);
  const rest = changes.filter((change) => !isUnseen(change));
  const names = rest.map(({ path, change }) => `${change === 'removed' ? 'removed ' : ''}${quotePath(path)}`);
  const files = added.length === 0 ? '' : listed(await sized(workspace, added), added.length, 0);
  const changed = listed(names.slice(0, MAX_NAMED_PATHS), names.length, strange);
  const texts = [
    ...(files === '' ? [] : [fill(prompts.files, { files })]),
    ...(changed === '' ? [] : [fill(prompts.filesChanged, { changes: changed })]),
  ];
  return { upTo, text: texts.join('\n') };
}

/** Returns the first paths with the size of each file. */
async function sized(
  workspace: Parameters<typeof fileNews>[0],
  paths: readonly string[],
): Promise<readonly string[]> {
  return Promise.all(
    paths.slice(0, MAX_NAMED_PATHS).map(async (path) => {
      const { size = 0 } = (await workspace.stat(path)) ?? {};
      // The user may remove it meanwhile.
      const decoded = size > MAX_COUNTED ? null : await textIn(workspace, path).catch(() => null);
      if (decoded === null) return `${quotePath(path)} (${size} bytes)`;
      return `${quotePath(path)} (${linesInWords(decoded.text)}${encodingNote(decoded.encoding)})`;
    }),
  );
}

/** Quotes a name, so that it cannot look like other text. */
function quotePath(path: string): string {
  return JSON.stringify(path);
}

function listed(named: readonly string[], count: number, strange: number): string {
  const more = count - named.length;
  return [
    ...named,
    ...(more > 0 ? [`${more} more`] : []),
    ...(strange > 0 ? [`${strange} from an untrusted source`] : []),
  ].join(', ');
}
