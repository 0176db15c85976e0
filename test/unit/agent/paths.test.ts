import { expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

it.each([['../outside.txt'], ['/../etc/passwd'], ['a\\..\\..\\b'], ['C:\\windows\\system.ini']])(
  'informs the model that %s is outside, writes nothing, and continues',
  async (path) => {
    const model = scriptedModel({
      think: [commands(['Editor.write', { path, content: 'x' }]), commands(['end', {}])],
    });
    const { memory, files, outcome } = await runRole(new RoleZero({ model, tools: editor() }), 'write');
    expect(memory[2]?.content).toMatch(/^Command Editor\.write executed: .*(workspace|separators|path)/);
    expect([files, outcome.status]).toEqual([{}, 'done']);
  },
);
