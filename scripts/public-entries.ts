import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Maps each name that users import to its source below `src/`, without extension: `rolezero/tools` → `tools/index`. */
export function publicEntries(): Map<string, string> {
  const manifest = readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8');
  const { exports } = JSON.parse(manifest) as { exports: Record<string, string | { types: string }> };
  return new Map(
    Object.entries(exports).flatMap(([path, entry]) =>
      typeof entry === 'string'
        ? []
        : [[path.replace('.', 'rolezero'), entry.types.replace('./dist/', '').replace(/\.d\.ts$/, '')]],
    ),
  );
}
