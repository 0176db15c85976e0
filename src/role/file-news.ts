import type { PersonChanges, Workspace } from '../base/files.js';
import type { Prompts } from './prompts/prompts.js';
import { fill } from './prompts/template.js';

/** Paths that are named; of the others the model is told how many there are. */
const MAX_NAMED = 20;

/** What the person did to the files since the model was last told: edits, imports, undone steps. */
export interface FileNews {
  /** Kept as said once the model has been told. */
  upTo: number;
  /** Empty when nothing changed. */
  text: string;
}

export function fileNews(
  workspace: Pick<Workspace, 'changedByPerson'>,
  said: { files?: number },
  prompts: Pick<Prompts, 'filesChanged'>,
): FileNews {
  const { upTo, ...news } = workspace.changedByPerson(said.files ?? 0);
  const changes = listed(news);
  return { upTo, text: changes === '' ? '' : fill(prompts.filesChanged, { changes }) };
}

/** Names are quoted: none may look like more than a name. */
function listed({ changes, strange }: Omit<PersonChanges, 'upTo'>): string {
  const named = changes
    .slice(0, MAX_NAMED)
    .map(({ path, change }) => `${change === 'removed' ? 'removed ' : ''}${JSON.stringify(path)}`);
  const more = changes.length - named.length;
  return [
    ...named,
    ...(more > 0 ? [`${more} more`] : []),
    ...(strange > 0 ? [`${strange} that came from elsewhere`] : []),
  ].join(', ');
}
