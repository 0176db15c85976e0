/** A project of 300 files: sources, data, notes and pictures. The contents never change. */
export function project(): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {};
  const put = (path: string, content: string | Uint8Array): void => {
    files[path] = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  for (let i = 0; i < 150; i += 1) {
    const lines = Array.from({ length: 20 + (i % 30) }, (_, line) => {
      if (line === 3 && i % 12 === 0) return `  // TODO ${['rename', 'test', 'remove'][i % 3]} part${i}`;
      return `export const value${i}_${line} = '${'x'.repeat(line % 7)}'; // old style`;
    });
    put(`src/area${i % 10}/part${i}.ts`, lines.map((line) => `${line}\n`).join(''));
  }
  for (let i = 0; i < 60; i += 1)
    put(
      `data/set${i}.json`,
      JSON.stringify({ name: `set${i}`, version: `1.${i % 4}.0`, items: [i, i * 2] }, null, 2),
    );
  for (let i = 0; i < 60; i += 1)
    put(
      `docs/${i % 6}/note ${i}.md`,
      `# Note ${i}\r\n\r\nWhat was old stays old, naïve or not: 日本 ${i}.\r\n`,
    );
  for (let i = 0; i < 30; i += 1)
    put(
      `img/p${i}.bin`,
      Uint8Array.from({ length: 500 + i }, (_, at) => (at * (i + 3)) % 256),
    );
  return files;
}
