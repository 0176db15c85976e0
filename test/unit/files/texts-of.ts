import { Content, type FileContent } from '../../../src/files/content.js';
import type { FileTree } from '../../../src/files/file-tree.js';
import { StoredContent } from '../../../src/files/stored-content.js';

/** Returns every file that can be read as text, path → content, sorted by path. Their contents must be in memory. */
export function textsOf(files: FileTree): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const path of pathsBelow(files, '/').sort()) {
    const content = inMemory(files.entry(path)?.content);
    if (files.entry(path)?.type === 'file' && content.isText()) texts[path] = content.text();
  }
  return texts;
}

function pathsBelow(files: FileTree, directory: string): string[] {
  return [...files.childrenOf(directory)].flatMap((path) => [path, ...pathsBelow(files, path)]);
}

function inMemory(content: FileContent | undefined): Content {
  const loaded = content instanceof StoredContent ? content.loaded : content;
  if (loaded instanceof Content) return loaded;
  throw new Error('The content is not in memory.');
}
