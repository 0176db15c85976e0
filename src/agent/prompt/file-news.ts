import type { UserChanges, Workspace } from '../../core/files.js';
import type { Prompts } from './prompts.js';
import { fill } from './template.js';

/** Maximum number of paths that are named; the others are counted. */
const MAX_NAMED = 20;

/** Changes of files by the user that are not in the prompt yet: edits, imports, undone steps. */
export interface FileNews {
  /** Stored when the model has received the text. */
  upTo: number;
  /** Empty when nothing changed. */
  text: string;
}

export function fileNews(
  workspace: Pick<Workspace, 'changedByUser'>,
  shown: { files?: number },
  prompts: Pick<Prompts, 'filesChanged'>,
): FileNews {
  const { upTo, ...news } = workspace.changedByUser(shown.files ?? 0);
  const changes = listed(news);
  return { upTo, text: changes === '' ? '' : fill(prompts.filesChanged, { changes }) };
}

/** Quotes names, so that no name can look like other text. */
function listed({ changes, strange }: Omit<UserChanges, 'upTo'>): string {
  const named = changes
    .slice(0, MAX_NAMED)
    .map(({ path, change }) => `${change === 'removed' ? 'removed ' : ''}${JSON.stringify(path)}`);
  const more = changes.length - named.length;
  return [
    ...named,
    ...(more > 0 ? [`${more} more`] : []),
    ...(strange > 0 ? [`${strange} from an untrusted source`] : []),
  ].join(', ');
}
