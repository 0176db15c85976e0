import { describe, RoleZeroError } from '../core/error.js';
import type { FileInfo, FileOutput, ToolFiles, WantedFiles } from '../core/files.js';
import type { Program, ProgramHost, ProgramResult } from '../core/program.js';

/** Maximum bytes of all file contents that a program receives. */
export const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/** A file or directory as a program receives it; plain data. */
export interface SnapshotEntry {
  path: string;
  type: 'file' | 'directory';
  size: number;
  modifiedAt: number;
  /** Null for a directory, and for a file that the program cannot read. */
  content: Uint8Array | null;
  /** Why the program cannot read the file: a rule forbids it, or all files together are too large. */
  withheld?: 'forbidden' | 'too-large';
}

/** A change of a program: the new content of a file, a new directory, or null when the path was removed. */
export interface SnapshotChange {
  path: string;
  after: Uint8Array | 'directory' | null;
}

/** What a program did with its files; plain data. */
export interface ProgramFileUse {
  /** Files whose content it read, or tried to read. */
  read: string[];
  /** Paths whose name or size it saw. */
  listed: string[];
  /** Sorted by path. */
  changes: SnapshotChange[];
}

/** One call of a program that works on a copy of the files; plain data. */
export interface SnapshotRequest extends Program {
  files: SnapshotEntry[];
  timeoutMs: number;
}

/** Result of a program that works on a copy of the files; plain data. */
export interface SnapshotResult {
  exitCode: number;
  stdout: string | Uint8Array;
  stderr: string;
  use: ProgramFileUse;
  /** True when it ended at its time limit: nothing of it counts. */
  isLate?: boolean;
}

/** Runs a program on a copy of the files, and applies what it changed. */
export async function runOnSnapshot(
  program: Program,
  host: ProgramHost,
  run: (request: SnapshotRequest, host: ProgramHost) => Promise<SnapshotResult>,
): Promise<ProgramResult> {
  const { files, timeoutMs } = host;
  const request = { ...program, files: await takeSnapshot(files), timeoutMs };
  const { exitCode, stdout, stderr, use, isLate = false } = await run(request, host);
  if (isLate) throw new RoleZeroError('tool-timeout', 'The program took too long.', { timeoutMs });
  try {
    await recordUse(use, files);
  } catch (error) {
    const message = `${program.command}: Not all changes could be stored: ${describe(error)}\n`;
    return { exitCode: 1, stdout, stderr: stderr + message };
  }
  return { exitCode, stdout, stderr };
}

/** Returns all files for a program that needs them at once. Nothing counts as read yet; see `recordUse`. */
async function takeSnapshot(files: ToolFiles): Promise<SnapshotEntry[]> {
  const isForbidden = (path: string): boolean => files.mayRead?.(path) === false;
  const wanted: WantedFiles = (infos) => {
    const isWithin = smallestWithin(infos, MAX_SNAPSHOT_BYTES);
    return (path) => isWithin(path) && !isForbidden(path);
  };
  const all = (await files.snapshot?.(wanted)) ?? (await readEach(files, wanted));
  return all.map(({ path, type, size, modifiedAt, content }): SnapshotEntry => {
    const entry = { path, type, size, modifiedAt, content: null };
    if (type === 'directory') return entry;
    if (content !== undefined) return { ...entry, content };
    return { ...entry, withheld: isForbidden(path) ? 'forbidden' : 'too-large' };
  });
}

/**
 * Records in `files` what a program read, for rules and labels, and applies its changes.
 *
 * @throws RoleZeroError when a change is refused, for example because the workspace is full. Earlier changes remain.
 */
async function recordUse({ read, listed, changes }: ProgramFileUse, files: ToolFiles): Promise<void> {
  for (const path of listed) await files.stat(path).catch(ignoreRefusal);
  for (const path of read) await files.readBytes(path).catch(ignoreRefusal);
  for (const { path, after } of changes.toReversed())
    if (after === null && (await files.stat(path)) !== null) await files.remove(path);
  for (const { path, after } of changes) {
    if (after === null) continue;
    const type = after === 'directory' ? 'directory' : 'file';
    const there = await files.stat(path);
    if (there !== null && there.type !== type) await files.remove(path);
    if (after === 'directory') await files.makeDirectory(path);
    else await files.write(path, after);
  }
}

/** The attempt is recorded. A refused or missing file was refused to the program as well. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof RoleZeroError) return null;
  throw error;
}

async function readEach(files: ToolFiles, wanted: WantedFiles): Promise<FileOutput[]> {
  const infos = await files.list('/', { recursive: true });
  const isWanted = wanted(infos);
  return Promise.all(
    infos.map(async (info) =>
      info.type === 'file' && isWanted(info.path)
        ? { ...info, content: await files.readBytes(info.path) }
        : info,
    ),
  );
}

/** Returns whether a file is among the smallest ones that fit into `maxBytes` together. */
function smallestWithin(all: readonly FileInfo[], maxBytes: number): (path: string) => boolean {
  if (all.reduce((sum, { size }) => sum + size, 0) <= maxBytes) return () => true;
  let left = maxBytes;
  const within = new Set<string>();
  for (const { path, size } of all.toSorted((a, b) => a.size - b.size))
    if ((left -= size) >= 0) within.add(path);
  return (path) => within.has(path);
}
