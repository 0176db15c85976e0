import { appendFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Truncates the newest log of each origin of a profile as Chromium does when it dies while writing: a header without
 * its record.
 */
export async function tearLogs(profile: string): Promise<void> {
  const folder = join(profile, 'Default', 'IndexedDB');
  const origins = (await readdir(folder)).filter((name) => name.endsWith('.indexeddb.leveldb'));
  if (origins.length === 0) throw new Error('there is no LevelDB');
  for (const origin of origins) await tearNewest(join(folder, origin));
}

async function tearNewest(folder: string): Promise<void> {
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const dated = await Promise.all(
    logs.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  );
  const newest = dated.sort((one, other) => other.time - one.time)[0];
  if (newest === undefined) throw new Error('there is no log');
  await appendFile(join(folder, newest.name), Uint8Array.of(0x12, 0x34, 0x56, 0x78, 0x40, 0x00, 0x01));
}
