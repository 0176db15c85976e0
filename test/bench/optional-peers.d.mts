/** The common part of peers with the interface of Node. */
export interface NodeLike {
  mkdir(path: string): Promise<unknown>;
  writeFile(path: string, text: string): Promise<unknown>;
  readFile(path: string, encoding: 'utf8'): Promise<unknown>;
  readdir(path: string): Promise<unknown>;
  stat(path: string): Promise<{ isDirectory(): boolean }>;
}
export const zenPromises: NodeLike & {
  rm(path: string, options: { recursive: boolean; force: boolean }): Promise<void>;
};
export function memfs(): NodeLike;
