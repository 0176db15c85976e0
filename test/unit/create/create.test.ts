import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { complete } from '../../../create/ask.mjs';
import { DEFAULTS, readArguments } from '../../../create/options.mjs';
import { scaffold } from '../../../create/scaffold.mjs';

const program = fileURLToPath(new URL('../../../create/index.mjs', import.meta.url));
const folders: string[] = [];

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'create-rolezero-'));
  folders.push(made);
  return made;
}

afterEach(() => {
  for (const each of folders.splice(0)) rmSync(each, { recursive: true, force: true });
});

const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.'))
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted();

describe('npm create rolezero', () => {
  it('creates an application without questions', () => {
    const target = join(folder(), 'app');
    const args = [
      '--template',
      'vue',
      '--base-url',
      'http://localhost:8080/v1',
      '--model-name',
      "it's",
      '--yes',
    ];
    const printed = execFileSync(process.execPath, [program, target, ...args], { encoding: 'utf8' });
    expect(printed).toContain(`Created ${target}.`);
    expect(filesOf(target)).toEqual([
      '.gitignore',
      'index.html',
      'package.json',
      'src/App.vue',
      'src/agent.worker.ts',
      'src/main.ts',
      'src/session.ts',
      'src/style.css',
      'tsconfig.json',
      'vite.config.ts',
    ]);
    expect(readFileSync(join(target, 'src/agent.worker.ts'), 'utf8')).toContain(
      "openai({ baseURL: 'http://localhost:8080/v1', model: 'it\\'s', contextWindow: 16_384 })",
    );
  });

  it('leaves no placeholder in any combination, and depends on what its files import', () => {
    for (const template of ['vanilla', 'react', 'vue', 'svelte'] as const)
      for (const model of ['ollama', 'webgpu', 'hosted'] as const) {
        const target = folder();
        scaffold({ ...DEFAULTS, folder: target, template, model });
        const { dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
          dependencies: Record<string, string>;
        };
        for (const name of filesOf(target).filter((each) => /\.(ts|tsx|vue|svelte)$/.test(each))) {
          const text = readFileSync(join(target, name), 'utf8');
          expect([name, text.match(/'\{\w+\}'/)]).toEqual([name, null]);
          for (const [, specifier = ''] of name.startsWith('src/')
            ? text.matchAll(/from '([^.'][^']*)'/g)
            : [])
            expect(Object.keys(dependencies)).toContain(specifier.split('/')[0]);
        }
        expect('@mlc-ai/web-llm' in dependencies).toBe(model === 'webgpu');
      }
  });

  it('asks for what the arguments do not say, until an answer is one of the choices', async () => {
    const input = new PassThrough();
    const lines = createInterface({ input, output: new PassThrough() });
    const printed: string[] = [];
    const answers = ['', '9', 'react', '3'];
    const ask = {
      question: (text: string) => {
        const asked = lines.question(text);
        input.write(`${answers.shift() ?? ''}\n`);
        return asked;
      },
    };
    const options = await complete({ rolezero: '1.0.0' }, ask, (line) => printed.push(line));
    lines.close();
    expect(options).toEqual({ folder: 'my-agent', template: 'react', model: 'hosted', rolezero: '1.0.0' });
    expect(printed).toContain('9 is not one of them. Type a number from 1 to 4.');
  });

  it.each<[string[], string]>([
    [['--template', 'angular'], '--template must be vanilla, react, vue, svelte, got angular.'],
    [['--base-url', 'localhost'], '--base-url must be an address'],
    [['a', 'b'], 'Name one folder, got a and b.'],
    [['--color'], '--color'],
  ])('rejects %j by name', (args, message) => {
    expect(() => readArguments(args)).toThrow(message);
  });

  it('does not touch a folder that is not empty', () => {
    const target = folder();
    scaffold({ ...DEFAULTS, folder: target });
    const { status, stderr } = spawnSync(process.execPath, [program, target, '--yes'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      `${target} is not empty. Name another folder, or remove its files.\n`,
    ]);
    expect(existsSync(join(target, 'src/main.ts'))).toBe(true);
  });
});
