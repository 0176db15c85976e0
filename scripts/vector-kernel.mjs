// `npm run build:kernel`: compiles scripts/vector-kernel/kernel.as and writes src/memory/vectors/kernel-bytes.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { extraPackages } from './extra-packages.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Compiles the kernels. Returns the source of the module that holds them. */
export async function kernelModule() {
  const compiler = join(extraPackages('assemblyscript'), 'node_modules/assemblyscript/dist/asc.js');
  const { default: asc } = await import(pathToFileURL(compiler).href);
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
