// `npm run build:kernel`: compiles scripts/vector-kernel/kernel.as and writes src/memory/vectors/kernel-bytes.ts.
import asc from 'assemblyscript/asc';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The source of the module that holds the compiled kernels. */
export async function kernelModule() {
  const source = readFileSync(here('./vector-kernel/kernel.as'), 'utf8');
  let binary = new Uint8Array();
  const { error, stderr } = await asc.main(
    [
      'kernel.ts',
      '--outFile',
      'kernel.wasm',
      '--runtime',
      'stub',
      '--importMemory',
      '-O3',
      '--noAssert',
      '--enable',
      'simd',
    ],
    {
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (name, contents) => {
        if (name === 'kernel.wasm') binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null) throw new Error(stderr.toString());
  const text = Buffer.from(binary).toString('base64');
  return `/** Made by \`npm run build:kernel\` from scripts/vector-kernel/kernel.as: ${binary.length} bytes of WebAssembly with SIMD. */
export const KERNEL_BYTES =
  '${text}';
`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(here('../src/memory/vectors/kernel-bytes.ts'), await kernelModule());
