import { appendFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The header of a record without its payload, as Chromium leaves it behind when it dies while writing: in the newest log of the one origin of a profile. */
export async function tearLog(profile: string): Promise<void> {
  const folder = join(profile, 'Default', 'IndexedDB');
  const own = (await readdir(folder)).find((name) => name.endsWith('.indexeddb.leveldb'));
  if (own === undefined) throw new Error('there is no LevelDB of this origin');
  const logs = (await readdir(join(folder, own))).filter((name) => name.endsWith('.log'));
  const dated = await Promise.all(
    logs.map(async (name) => ({ name, time: (await stat(join(folder, own, name))).mtimeMs })),
  );
  const newest = dated.sort((one, other) => other.time - one.time)[0];
  if (newest === undefined) throw new Error('there is no log');
  await appendFile(join(folder, own, newest.name), Uint8Array.of(0x12, 0x34, 0x56, 0x78, 0x40, 0x00, 0x01));
}
