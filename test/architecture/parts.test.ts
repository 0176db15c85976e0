import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../src/', import.meta.url));
const files = readdirSync(`${root}agent`, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({
    name,
    text: readFileSync(`${root}agent/${name}`, 'utf8').replaceAll(/\/\*[^]*?\*\//g, ''),
  }));

/** Returns the files of the agent, apart from those that assemble the parts, whose code matches. */
const matching = (pattern: RegExp): string[] =>
  files.flatMap(({ name, text }) => (pattern.test(text) ? [name] : []));

describe('the core of an agent', () => {
  it('imports no part, except where the parts are assembled', () => {
    expect(matching(/from '(?:\.\.\/)+(?:parts|notes|subagents)\//)).toEqual(['role-zero.ts']);
  });

  it('reads no state of a tool by the name of the tool', () => {
    expect(matching(/\btools\??\.?\[['"]/)).toEqual([]);
  });

  it('names no command of a part', () => {
    expect(matching(/['"`](?:Notes|Subagent)\b/)).toEqual([]);
  });
});
