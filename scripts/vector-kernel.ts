/** `npm run build:kernel`: compiles scripts/vector-kernel/kernel.as and writes src/memory/vectors/kernel-bytes.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { extraPackages } from './extra-packages.mjs';

/** The compiler's `main` (only the used parts). Its package is installed on first use. */
interface Compiler {
  main(
    args: string[],
    host: {
      readFile(name: string): string | null;
      writeFile(name: string, contents: Uint8Array): void;
      listFiles(): string[];
    },
  ): Promise<{ error: Error | null; stderr: { toString(): string } }>;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export async function main(): Promise<void> {
  writeFileSync(here('../src/memory/vectors/kernel-bytes.ts'), await kernelModule());
}

/** Compiles the kernels. Returns the source of the module that contains them. */
export async function kernelModule(): Promise<string> {
  const path = join(extraPackages('assemblyscript'), 'node_modules/assemblyscript/dist/asc.js');
  const { default: compiler } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    default: Compiler;
  };
  const source = readFileSync(here('./vector-kernel/kernel.as'), 'utf8');
  let binary = new Uint8Array();
  const { error, stderr } = await compiler.main(
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
        if (name === 'kernel.wasm') binary = Uint8Array.from(contents);
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
