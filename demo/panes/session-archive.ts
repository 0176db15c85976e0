import { sessions } from 'rolezero';
import { exportZip, importZip } from 'rolezero/files';
import { fileNameOf } from '../offer.js';

type AllFiles = Parameters<typeof exportZip>[0];

/** Packs exported sessions as one archive, each as a file with its title as its name. `failed` are the titles of those that could not be read. */
export async function packSessions(
  titles: ReadonlyMap<string, string>,
): Promise<{ archive: Uint8Array; failed: string[] }> {
  const failed: string[] = [];
  const files: Awaited<ReturnType<AllFiles['readAll']>> = [];
  const taken = new Set<string>();
  for (const [name, title] of titles) {
    try {
      const content = new TextEncoder().encode(JSON.stringify(await sessions.export(name)));
      const path = `/${fileName(title, taken)}`;
      files.push({ path, type: 'file', size: content.length, content, modifiedAt: Date.now() });
    } catch {
      failed.push(title);
    }
  }
  const packed = await exportZip({ readAll: async () => files });
  return { archive: new Uint8Array(await packed.arrayBuffer()), failed };
}

/** The exported sessions in an archive: their contents by the names of their files. @throws RoleZeroError `invalid` for an archive that cannot be read. */
export async function unpackSessions(archive: File): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  await importZip(
    {
      writeAll: async (files) => {
        for (const { path, content } of files)
          if (content !== undefined && path.endsWith('.json'))
            contents.set(
              path.slice(1),
              typeof content === 'string' ? content : new TextDecoder().decode(content),
            );
        return [];
      },
    },
    archive,
    { limits: { fileBytes: MAX_BYTES, totalBytes: MAX_BYTES } },
  );
  return contents;
}

/** Bytes that an archive of sessions may have: more would not fit into the memory of a page. */
const MAX_BYTES = 1_000_000_000;

/** A name that no other session of the archive has. */
function fileName(title: string, taken: Set<string>): string {
  const safe = fileNameOf(title) || 'session';
  let name = safe;
  for (let number = 2; taken.has(name); number++) name = `${safe} ${number}`;
  taken.add(name);
  return `${name}.json`;
}
