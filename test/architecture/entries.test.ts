import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { BUDGET } from '../budget.js';
import { publicEntries } from '../../scripts/public-entries.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url)).replaceAll('\\', '/');
const entries = publicEntries();

describe('the entry points', () => {
  it('have a source file each', () => {
    expect(entries.size).toBeGreaterThan(30);
    expect([...entries].filter(([, path]) => !existsSync(`${root}src/${path}`))).toEqual([]);
  });

  it('do not include internal folders', () => {
    const internal = [
      'providers/local',
      'tools/editor',
      'tools/browser/driver',
      'tools/browser/frame',
      'core',
    ];
    expect(internal.filter((name) => entries.has(`rolezero/${name}`))).toEqual([]);
  });

  it('resolve to their sources with the paths of tsconfig.json', () => {
    const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const resolved = [...entries.keys()].map((name) => {
      const { resolvedModule } = ts.resolveModuleName(name, `${root}demo/main.ts`, options, ts.sys);
      return [name, resolvedModule?.resolvedFileName.replace(`${root}src/`, '')];
    });
    expect(resolved).toEqual([...entries]);
  });

  it('have a line in size-budget.json, which names no other entry', () => {
    const measured = Object.keys(BUDGET.lines).map((line) => / from '([^']+)'/.exec(line)?.[1]);
    expect([...new Set(measured)].toSorted()).toEqual([...entries.keys()].toSorted());
  });
});
