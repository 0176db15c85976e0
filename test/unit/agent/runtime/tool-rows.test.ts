import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src/core/json.js';
import { initialState, type RoleState } from '../../../../src/agent/runtime/state.js';
import { ToolRows } from '../../../../src/agent/runtime/rows.js';

type Tools = RoleState['tools'];

/** Stores the states of tools, and returns the keys of the rows that this wrote. */
function stored(rows: ToolRows, table: Map<string, unknown>, tools: Tools): string[] {
  const writes = rows.stateWrites({ ...initialState(), tools }).filter(({ table: name }) => name === 'tools');
  for (const { key, value } of writes) {
    if (value === undefined) table.delete(key);
    else table.set(key, structuredClone(value));
  }
  return writes.map(({ key }) => key);
}

/** The states as the next worker finds them. */
function found(table: ReadonlyMap<string, unknown>): Tools {
  const rows = [...table].sort(([one], [other]) => (one < other ? -1 : 1));
  return new ToolRows('Zero').restore(
    rows.map(([key, value]) => ({ key, value })),
    {},
  );
}

const edit = (number: number): Record<string, JsonValue> => ({ path: `/${number}`, before: 'x'.repeat(100) });

describe('the stored states of tools', () => {
  it('have a row for each object of a list, of which a step writes one', () => {
    const rows = new ToolRows('Zero');
    const table = new Map<string, unknown>();
    const edits = Array.from({ length: 50 }, (_, number) => edit(number));
    stored(rows, table, { Editor: { file: '/a', edits } });
    expect(stored(rows, table, { Editor: { file: '/a', edits: [...edits.slice(1), edit(50)] } })).toEqual([
      'Zero/Editor%list:edits:0000000000',
      'Zero/Editor%list:edits:0000000050',
    ]);
    expect(stored(rows, table, { Editor: { file: '/b', edits: [...edits.slice(1), edit(50)] } })).toEqual([
      'Zero/Editor',
    ]);
    expect(found(table)).toEqual({ Editor: { file: '/b', edits: [...edits.slice(1), edit(50)] } });
  });

  it('are read from the row of an earlier release, and stored in the new form with the next change', () => {
    const table = new Map<string, unknown>([['Zero/Editor', { file: '/a', edits: [edit(1), edit(2)] }]]);
    const rows = new ToolRows('Zero');
    const tools = rows.restore(
      [...table].map(([key, value]) => ({ key, value })),
      {},
    );
    expect(tools).toEqual({ Editor: { file: '/a', edits: [edit(1), edit(2)] } });
    stored(rows, table, { Editor: { file: '/a', edits: [edit(1), edit(2), edit(3)] } });
    expect(table.get('Zero/Editor')).toEqual({ file: '/a' });
    expect(found(table)).toEqual({ Editor: { file: '/a', edits: [edit(1), edit(2), edit(3)] } });
  });

  it('are the same after any changes, in this worker and in the next', () => {
    const item = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.nat({ max: 2 }), { maxKeys: 2 });
    const value = fc.oneof(
      fc.constantFrom<JsonValue>([], 'text', 7, null, [1, 2]),
      fc.array(item, { maxLength: 5 }),
    );
    const state = fc.dictionary(fc.constantFrom('x', 'y', 'a/b', '%list:'), value, { maxKeys: 3 });
    const tools = fc.dictionary(fc.constantFrom('Editor', 'My/tool', '%'), state, { maxKeys: 2 });
    fc.assert(
      fc.property(fc.array(tools, { minLength: 1, maxLength: 6 }), fc.nat({ max: 5 }), (states, reopened) => {
        const table = new Map<string, unknown>();
        let rows = new ToolRows('Zero');
        const now: Tools = {};
        for (const [index, each] of states.entries()) {
          Object.assign(now, structuredClone(each)); // the state of a tool is never removed
          if (index === reopened) {
            rows = new ToolRows('Zero');
            const all = [...table].sort(([one], [other]) => (one < other ? -1 : 1));
            rows.restore(
              all.map(([key, row]) => ({ key, value: row })),
              {},
            );
          }
          stored(rows, table, { ...now });
          expect(JSON.parse(JSON.stringify(found(table)))).toEqual(JSON.parse(JSON.stringify(now)));
        }
      }),
      { numRuns: 300 },
    );
  });
});
