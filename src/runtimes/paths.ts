/** Joins and normalizes paths. An absolute `path` replaces the folder. */
export function joinPath(folder: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

export function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
