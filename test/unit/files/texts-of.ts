import type { FileTree } from '../../../src/files/file-tree.js';

/** Returns every file that can be read as text, path → content, sorted by path. */
export function textsOf(files: FileTree): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { path } of files.readAll('/')) {
    const entry = files.entry(path);
    if (entry?.type === 'file' && entry.content.isText()) texts[path] = entry.content.text();
  }
  return texts;
}
