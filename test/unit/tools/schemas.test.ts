import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { pageTool } from '../../../src/client/page-tool.js';
import { jsonSchemaIssues } from '../../../src/core/json-schema.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { ToolRegistry } from '../../../src/tools/registry.js';

const name = 'Weather.at';
const description = 'The weather of a city.';
const jsonSchema = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 1 }, days: { type: 'integer' } },
  required: ['city'],
} as const;

/** One tool, declared with the schemas of four libraries. Types of the arguments follow from each schema. */
const TOOLS = {
  zod: defineTool({
    name,
    description,
    input: z.object({ city: z.string().min(1), days: z.int().optional() }),
    run: ({ city, days = 1 }) => city.repeat(days),
  }),
  Valibot: defineTool({
    name,
    description,
    input: toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.minLength(1)),
        days: v.optional(v.pipe(v.number(), v.integer())),
      }),
    ),
    run: ({ city, days = 1 }) => city.repeat(days),
  }),
  ArkType: defineTool({
    name,
    description,
    input: type({ city: 'string > 0', 'days?': 'number.integer' }),
    run: ({ city, days = 1 }) => city.repeat(days),
  }),
  'JSON Schema': defineTool({
    name,
    description,
    input: jsonSchema,
    run: ({ city, days = 1 }: { city: string; days?: number }) => city.repeat(days),
  }),
};

describe.each(Object.entries(TOOLS))('a tool with a schema of %s', (_library, tool) => {
  const registry = new ToolRegistry([tool]);
  const resolve = (args: Record<string, string | number>) => {
    const resolved = registry.resolve({ name, args });
    return resolved.ok ? resolved.input : resolved.advice;
  };

  it('is described to the model by its JSON Schema', () => {
    expect(JSON.parse(registry.describe())).toMatchObject({
      [name]: {
        description,
        args: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    });
    expect(registry.describeBriefly()).toMatch(/^Weather\.at\(city: string, days\?: integer\): The weather/);
  });

  it('accepts arguments that fit', () => {
    expect(resolve({ city: 'Graz', days: 2 })).toEqual({ city: 'Graz', days: 2 });
  });

  it('names what does not fit', () => {
    expect(resolve({ days: 2 })).toContain('city');
    expect(resolve({ city: '' })).toContain('"city": ');
    expect(resolve({ city: 'Graz', days: 1.5 })).toContain('"days": ');
    expect(resolve({ city: 'Graz', town: 'Wien' })).toContain('no argument "town"');
  });
});

describe('a tool of the page', () => {
  const context = {
    signal: AbortSignal.timeout(1_000),
    callId: '1',
    session: { name: 's' },
    files: {} as never,
  };

  it('checks arguments with a Standard Schema', async () => {
    const tool = pageTool({ name, description, input: type({ city: 'string' }), run: ({ city }) => city });
    expect(tool.descriptor.schema).toMatchObject({ type: 'object', required: ['city'] });
    expect(tool.descriptor.hasPlainSchema).toBeUndefined();
    expect(await tool.call({ city: 'Graz' }, context)).toBe('Graz');
    await expect(tool.call({ city: 1 }, context)).rejects.toThrow(
      /Invalid arguments for Weather\.at: city: /,
    );
  });

  it('leaves the check of a plain JSON Schema to the worker', async () => {
    const tool = pageTool({ name, description, input: jsonSchema, run: ({ city }) => city });
    expect(tool.descriptor).toMatchObject({ schema: jsonSchema, hasPlainSchema: true });
    expect(await tool.call({ city: 'Graz' }, context)).toBe('Graz');
  });
});

describe('a JSON Schema', () => {
  it.each<[string, Record<string, unknown>, unknown, string[]]>([
    ['a value of another type', { type: 'object' }, [], ['']],
    ['a missing property', jsonSchema, {}, ['']],
    ['each wrong property', jsonSchema, { city: '', days: 'x' }, ['city', 'days']],
    ['a place in a list', { type: 'array', items: { type: 'number' } }, [1, 'x'], ['1']],
    ['a property with a slash', { properties: { 'a/b~c': { type: 'null' } } }, { 'a/b~c': 1 }, ['a/b~c']],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { type: 'null' } } }, 1, ['']],
    ['an additional property', { type: 'object', additionalProperties: false }, { x: 1 }, ['']],
    [
      'a dialect',
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'null' }] },
      [1],
      ['0'],
    ],
  ])('reports %s with its place', (_case, schema, value, places) => {
    const found = jsonSchemaIssues(schema, value).map(({ path }) => path.join('.'));
    expect([...new Set(found)]).toEqual(places);
  });

  const tree = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
      },
    },
  };
  const shape = {
    anyOf: [
      { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'number', minimum: 0 } } },
      { type: 'string' },
    ],
  };

  it.each<[string, Record<string, unknown>, unknown, string[]]>([
    [
      'a tree',
      tree,
      { name: 'a', children: [{ name: 'b', children: [{ name: 1 }] }] },
      ['children.0.children.0.name'],
    ],
    ['the closest alternative', shape, { kind: 'circle', radius: -1 }, ['radius']],
    ['two alternatives that fit', { oneOf: [{ type: 'number' }, { minimum: 1 }] }, 2, ['']],
    ['a choice of objects', { enum: [{ a: 1, b: [2] }] }, { b: [2], a: 2 }, ['']],
    ['limits of numbers', { exclusiveMinimum: 0, maximum: 9, multipleOf: 0.1 }, 0, ['']],
    ['limits of draft 4', { minimum: 0, exclusiveMinimum: true }, 0, ['']],
    ['characters, not UTF-16 units', { maxLength: 1, pattern: '^a' }, '👍', ['']],
    [
      'items twice',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [''],
    ],
    ['a tuple', { prefixItems: [{ type: 'null' }], items: false }, [null, 1], ['1']],
    ['properties by pattern', { patternProperties: { '^x-': { type: 'number' } } }, { 'x-a': 'b' }, ['x-a']],
    ['names', { propertyNames: { pattern: '^[a-z]+$' } }, { A: 1 }, ['A']],
    ['a property that another requires', { dependentRequired: { a: ['b'] } }, { a: 1 }, ['']],
    ['a condition', { if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }, ['']],
    ['what is excluded', { not: { type: 'null' } }, null, ['']],
    ['an anchor', { $ref: '#n', $defs: { a: { $anchor: 'n', type: 'null' } } }, 1, ['']],
  ])('checks %s', (_case, schema, value, places) => {
    expect(jsonSchemaIssues(schema, value).map(({ path }) => path.join('.'))).toEqual(places);
  });

  it.each<[Record<string, unknown>, unknown]>([
    [tree, { name: 'a', children: [{ name: 'b', children: [] }] }],
    [shape, { kind: 'circle', radius: 1 }],
    [{ enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 }],
    [{ multipleOf: 0.1, exclusiveMaximum: 1 }, 0.7],
    [{ maxLength: 1 }, '👍'],
    [{ if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } }, { c: 1 }],
    [{ type: ['string', 'null'] }, null],
    [{ type: 'object', format: 'date' }, {}],
    [{ constructor: 1, toString: {} }, {}],
  ])('accepts %j', (schema, value) => {
    expect(jsonSchemaIssues(schema, value)).toEqual([]);
  });

  it('accepts what fits, and rejects a schema that refers to nothing', () => {
    expect(jsonSchemaIssues(Object.freeze({ ...jsonSchema }), { city: 'Graz' })).toEqual([]);
    expect(() => jsonSchemaIssues({ $ref: '#/$defs/none' }, 1)).toThrow(/\$ref/);
  });

  it.each([
    ['that refers to nothing', { type: 'object', properties: { a: { $ref: '#/none' } } }],
    ['that refers only to itself', { type: 'object', $ref: '#' }],
  ] as const)('%s is rejected where the tool is declared', (_case, input) => {
    expect(() => defineTool({ name, description, input, run: () => '' })).toThrow(
      /^The JSON Schema of the arguments of a tool cannot be used: .*It must be a valid JSON Schema\.$/s,
    );
  });
});
