import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/core/events.js';
import type { JsonValue } from '../../../../src/core/json.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { Session } from '../../../../src/session/session.js';
import { memoryStorage } from '../../../../src/storage/index.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import { editor } from '../../../../src/tools/index.js';
import { readMetadata } from '../../../../src/tools/skills/skills.js';
import { skills } from '../../../../src/tools/skills/index.js';

type Spec = readonly [string, Record<string, JsonValue>];

/** The skill of the documentation of the format, shortened. */
const PDF = `---
name: pdf-processing
description: Extract PDF text, fill forms, merge files. Use when handling PDFs.
license: Apache-2.0
compatibility: Requires a shell
metadata:
  author: example-org
  version: "1.0"
allowed-tools: Bash(git:*) Read
---

# PDF processing

Run scripts/extract.py on the file.
`;
const FILES = {
  '/skills/pdf-processing/SKILL.md': PDF,
  '/skills/pdf-processing/scripts/extract.py': 'print(1)\n',
  '/skills/pdf-processing/references/FORMS.md': 'Fill every field.\n',
};

function run(specs: readonly Spec[], files: Record<string, string>, options: RoleZeroOptions = {}) {
  const think = [...specs.map((spec) => commands(spec)), commands(['end', {}])];
  const model = scriptedModel({ think });
  return runRole(
    new RoleZero({ model, tools: [editor(), skills()], ...options }),
    'Fill in the form /a.pdf',
    {
      files,
    },
  );
}

const outputs = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'command-end' ? [event.output] : []));
const systemOf = ({ requests }: Awaited<ReturnType<typeof run>>, at = 0) =>
  String(requests[at]?.messages[0]?.content);

describe('Agent Skills', () => {
  it('are listed by name and description, and loaded on demand with their files', async () => {
    const result = await run(
      [
        ['Skill.load', { name: 'pdf-processing' }],
        ['Skill.load', { name: 'pdf-processing', file: 'references/FORMS.md' }],
        ['Skill.load', { name: 'pdf-processing', file: '/skills/pdf-processing/./scripts/extract.py' }],
      ],
      FILES,
    );
    expect(systemOf(result)).toContain(
      '- pdf-processing: Extract PDF text, fill forms, merge files. Use when handling PDFs.',
    );
    expect(systemOf(result)).not.toContain('scripts/extract.py');
    expect(outputs(result.events).slice(0, 3)).toEqual([
      'Command Skill.load executed: # PDF processing\n\nRun scripts/extract.py on the file.\n\nOther files in /skills/pdf-processing: references/FORMS.md, scripts/extract.py',
      'Command Skill.load executed: Fill every field.\n',
      'Command Skill.load executed: print(1)\n',
    ]);
  });

  it('are found when the role writes them, and gone when they are removed', async () => {
    const result = await run(
      [
        [
          'Editor.write',
          {
            path: '/skills/notes/SKILL.md',
            content: '---\nname: notes\ndescription: Takes notes.\n---\nWrite.',
          },
        ],
        ['Skill.load', { name: 'notes' }],
      ],
      {},
    );
    expect(systemOf(result)).not.toContain('Skill.load');
    expect(systemOf(result, 1)).toContain('- notes: Takes notes.');
    expect(outputs(result.events)[1]).toBe('Command Skill.load executed: Write.');
  });

  it.each<[string, Record<string, JsonValue>, string]>([
    ['another name', { name: 'pdf' }, 'There is no skill "pdf". The skills are pdf-processing.'],
    [
      'a file outside',
      { name: 'pdf-processing', file: '../../secret.txt' },
      'is not in the folder of the skill',
    ],
    [
      'an absolute path',
      { name: 'pdf-processing', file: '/secret.txt' },
      'is not in the folder of the skill',
    ],
    ['a missing file', { name: 'pdf-processing', file: 'none.md' }, '/skills/pdf-processing/none.md'],
  ])('do not load %s', async (_what, args, message) => {
    const { events } = await run([['Skill.load', args]], { ...FILES, '/secret.txt': 'pin' });
    expect(outputs(events)[0]).toContain(message);
    expect(outputs(events).join()).not.toContain('pin');
  });

  it('obey the rules of the application', async () => {
    const policy = [{ path: '/skills/pdf-processing/**', tool: '*', do: 'deny' }] as const;
    const result = await run([['Skill.load', { name: 'pdf-processing' }]], FILES, { policy });
    expect(systemOf(result)).not.toContain('Extract PDF text');
    expect(outputs(result.events)[0]).toContain('Skill.load not found');
  });

  it('are as trusted as their files', async () => {
    const open = async (trusted: boolean) => {
      const role = new RoleZero({
        model: scriptedModel({ think: commands(['end', {}]) }),
        tools: [editor(), skills()],
      });
      const session = await Session.open({
        storage: memoryStorage(),
        name: 's',
        roles: [role],
        askUser: null,
        emit: () => {},
      });
      const written = Object.entries(FILES).map(([path, content]) => ({ path, content }));
      await session.files.writeAll(written, trusted ? { trusted } : { untrusted: 'skills.zip' });
      await (
        await session.send('Fill in the form /a.pdf')
      ).result;
      return role.agent.state.untrusted;
    };
    expect(await open(false)).toEqual(['skills from skills.zip']);
    expect(await open(true)).toBeUndefined();
  });

  it('with a long description are offered with its beginning, and named once', async () => {
    const description = 'Fills in forms. '.repeat(100);
    const result = await run([['Skill.load', { name: 'forms' }]], {
      '/skills/forms/SKILL.md': `---\nname: forms\ndescription: ${description}\n---\nUse /fill.py.`,
    });
    expect(outputs(result.events)[0]).toContain('Use /fill.py.');
    expect(systemOf(result)).toContain(`- forms: ${description.slice(0, 1_023)}…`);
    expect(result.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).toEqual([
      'The descriptions of these skills are cut off after 1024 characters: /skills/forms/SKILL.md.',
    ]);
  });

  it('that cannot be used are named once to the model and the application', async () => {
    const result = await run([['Editor.read', { path: '/skills/broken/SKILL.md' }]], {
      ...FILES,
      '/skills/broken/SKILL.md': '# No metadata\n',
      '/skills/wrong-name/SKILL.md': '---\nname: other\ndescription: x\n---\n',
      '/more/pdf-processing/SKILL.md': PDF,
    });
    const notice =
      'These skills cannot be used: /skills/broken/SKILL.md: it does not begin with metadata between two lines ---; /skills/wrong-name/SKILL.md: `name` differs from the name of its folder.';
    const warnings = result.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(notice);
    expect(result.requests[0]?.messages.at(-1)?.content).toContain(notice);
    expect(systemOf(result)).toContain('- pdf-processing:');
  });

  it('reject options that do not exist', () => {
    expect(() => skills({ folder: '/skills' } as never)).toThrow(/folder/);
    expect(() => skills({ limit: 0 })).toThrow('`limit` of skills() must be a whole number above 0');
  });
});

describe('the metadata of a skill', () => {
  const of = (yaml: string, folder = 'a-b') => readMetadata(`---\n${yaml}\n---\nText`, folder);

  it.each([
    ['name: a-b\ndescription: Does it.', { name: 'a-b', description: 'Does it.', isCut: false }],
    [
      'name: a-b\r\ndescription: >\r\n  Does\r\n  it.',
      { name: 'a-b', description: 'Does it.', isCut: false },
    ],
    [
      'name: a-b\ndescription: "In\u200bvisible\\nlines"',
      { name: 'a-b', description: 'Invisible lines', isCut: false },
    ],
    ['name: A-b\ndescription: x', /^`name` must be/],
    ['name: a--b\ndescription: x', /^`name` must be/],
    ['name: 7\ndescription: x', /^`name` must be/],
    ['description: x', /^`name` must be/],
    ['name: a-b', /^`description` is missing/],
    ['name: a-b\ndescription: [x]', /^`description` is missing/],
    [`name: a-b\ndescription: x\nmore: ${'x'.repeat(10_001)}`, /longer than 10000 characters/],
    ['name: [a', /not valid YAML/],
    ['- a\n- b', /not valid YAML/],
    ['a: &a [x]\nb: [*a, *a]\nname: a-b\ndescription: x', /not valid YAML/],
  ])('%j', (yaml, expected) => {
    if (expected instanceof RegExp) expect(of(yaml)).toMatch(expected);
    else expect(of(yaml)).toEqual(expected);
  });
});
