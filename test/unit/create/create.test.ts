import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { complete } from '../../../create/ask.mjs';
import { CHOICES, DEFAULTS, readArguments } from '../../../create/options.mjs';
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
    for (const template of ['vanilla', 'react', 'vue', 'svelte', 'next', 'astro'] as const)
      for (const model of ['ollama', 'webgpu', 'hosted'] as const) {
        const target = folder();
        scaffold({ ...DEFAULTS, folder: target, template, model });
        const { dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
          dependencies: Record<string, string>;
        };
        for (const name of filesOf(target).filter((each) => /\.(ts|tsx|vue|svelte|astro|mjs)$/.test(each))) {
          const text = readFileSync(join(target, name), 'utf8');
          expect([name, text.match(/'\{\w+\}'/)]).toEqual([name, null]);
          for (const [, specifier = ''] of name.startsWith('vite.config') || name.startsWith('svelte.config')
            ? []
            : text.matchAll(/from '([^.'][^']*)'/g))
            expect([name, Object.keys(dependencies)]).toEqual([
              name,
              expect.arrayContaining([specifier.split('/')[0]]),
            ]);
        }
        expect('@mlc-ai/web-llm' in dependencies).toBe(model === 'webgpu');
      }
  });

  it.each([
    ['next', ['app/layout.tsx', 'app/page.tsx', 'next.config.ts', 'src/App.tsx'], 'http://localhost:3000'],
    ['astro', ['astro.config.mjs', 'src/main.ts', 'src/pages/index.astro'], 'http://localhost:4321'],
  ] as const)('creates an application with %s', (template, files, address) => {
    const target = folder();
    expect(scaffold({ ...DEFAULTS, folder: target, template })).toContain(`OLLAMA_ORIGINS=${address} `);
    const shared = ['.gitignore', 'package.json', 'tsconfig.json'];
    const source = ['src/agent.worker.ts', 'src/session.ts', 'src/style.css'];
    expect(filesOf(target)).toEqual([...shared, ...source, ...files].toSorted());
  });

  it('uses the current TypeScript where nothing needs the API of the compiler', () => {
    const versions = Object.keys(CHOICES.template).map((template) => {
      const target = folder();
      scaffold({ ...DEFAULTS, folder: target, template: template as typeof DEFAULTS.template });
      const { devDependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
        devDependencies: Record<string, string>;
      };
      return `${template} ${devDependencies['typescript']}`;
    });
    expect(versions).toEqual([
      'vanilla ^7.0.2',
      'react ^7.0.2',
      'vue ~6.0.3',
      'svelte ~6.0.3',
      'next ~6.0.3',
      'astro ^7.0.2',
    ]);
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
    expect(printed).toContain('9 is not one of them. Type a number from 1 to 6.');
  });

  it.each<[string[], string]>([
    [['--template', 'angular'], '--template must be vanilla, react, vue, svelte, next, astro, got angular.'],
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
