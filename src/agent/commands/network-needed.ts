/** Commands that run without requests first: the error that their first request throws, and the files that the user is shown about it. */
import type { StagedFiles } from '../../core/files.js';
import type { NeededRequest } from '../policy/shown-command.js';
import type { Agent } from '../runtime/agent.js';
import { describeBytes } from './request-approval.js';

/** Thrown by a command that may not send requests, before its first one. */
export class NetworkNeeded extends Error {
  readonly #request: string;
  readonly #files: StagedFiles;

  /** @param files The files of the command. The user is shown those that it has read. */
  constructor(request: string, files: StagedFiles) {
    super(`The user has not allowed ${request}.`);
    this.#request = request;
    this.#files = files;
  }

  async needed(): Promise<NeededRequest> {
    return { request: this.#request, read: await asShown(this.#files, this.#files.touched().read) };
  }
}

/** Returns whether the files that the user was shown are still the same. */
export async function isAsShown(agent: Agent, { read }: NeededRequest): Promise<boolean> {
  const paths = read.map(({ path }) => path);
  const now = await asShown(agent.context.workspace.stage(), paths);
  return JSON.stringify(now) === JSON.stringify(read);
}

/** Returns files as the user is shown them. */
async function asShown(files: StagedFiles, paths: readonly string[]): Promise<NeededRequest['read']> {
  const shown = await files.differences(paths, describeBytes);
  return shown.map(({ path, before }) => ({ path, text: before ?? '' }));
}
