import { describe, RoleZeroError } from '../core/error.js';
import type { Program, ProgramHost, ProgramResult } from '../core/program.js';
import { recordUse, takeSnapshot, type FileUse, type SnapshotEntry } from './snapshot.js';

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
  use: FileUse;
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
