import type { InputIssue, InputSchema } from './input-schema.js';
import { isRecord, type JsonSchema } from './json.js';
import { closestIssues, issuesOf } from './json-schema.js';
import { lazy } from './lazy.js';

/** Reports what does not fit, and where. */
type Report = (message: string, ...path: PropertyKey[]) => void;

/**
 * Describes and reads the values of a type: the arguments of the library's own tools, and what crosses a border. Texts and numbers are
 * checked by the same code as a JSON Schema of the application; the functions of this file combine them.
 */
export interface Schema<T> {
  /** JSON Schema that a model receives. */
  readonly json: JsonSchema;
  /** Returns the value with defaults and conversions. Reports each part that does not fit. */
  read(value: unknown, report: Report): unknown;
  /** True when an object may lack the value. */
  readonly isOptional?: boolean;
  /** Carries the type; never set. */
  readonly type?: T;
}

/** The type of the values that a schema reads. */
export type TypeOf<S> = S extends Schema<infer T> ? T : never;

type Fields = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: undefined extends TypeOf<F[K]> ? K : never;
}[keyof F];
type ObjectOf<F extends Fields> = { [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]> } & {
  [K in OptionalKeys<F>]?: TypeOf<F[K]>;
};

interface Description {
  /** Text for the model. */
  description?: string;
}
interface TextRules extends Description {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}
interface NumberRules extends Description {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}
interface ListRules extends Description {
  minItems?: number;
  maxItems?: number;
}

/** Reads a value with a schema. A value that does not fit yields its issues. */
export function read<T>(schema: Schema<T>, value: unknown): ReturnType<InputSchema<T>['safeParse']> {
  const issues: InputIssue[] = [];
  const data = schema.read(value, (message, ...path) => void issues.push({ path, message })) as T;
  return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
}

/** Returns the schema of the arguments of a built-in tool. */
export function inputSchema<T>(schema: Schema<T>): InputSchema<T> {
  return { safeParse: (value) => read(schema, value), toJSONSchema: () => schema.json };
}

/** Returns the schema of the arguments of a built-in tool: these and no others. */
export function args<F extends Fields>(fields: F): InputSchema<ObjectOf<F>> {
  return inputSchema(strictObject(fields));
}

/** A value that fits a JSON Schema without parts. */
function ofJson<T>(json: JsonSchema): Schema<T> {
  return {
    json,
    read(value, report) {
      for (const { message, path } of issuesOf(json, value)) report(message, ...path);
      return value;
    },
  };
}

export const string = (rules: TextRules = {}): Schema<string> => ofJson({ type: 'string', ...rules });
export const number = (rules: NumberRules = {}): Schema<number> => ofJson({ type: 'number', ...rules });
export const integer = (rules: NumberRules = {}): Schema<number> => ofJson({ type: 'integer', ...rules });
export const boolean = (rules: Description = {}): Schema<boolean> => ofJson({ type: 'boolean', ...rules });
export const literal = <const T>(value: T): Schema<T> => ofJson({ const: value });
export const oneOf = <const T extends string>(choices: readonly T[], rules: Description = {}): Schema<T> =>
  ofJson({ type: 'string', enum: choices, ...rules });

/** Any value. @param json shown to the model; whoever uses the value checks it */
export const anything = (json: JsonSchema = {}): Schema<unknown> => ({ json, read: (value) => value });

/** A text. Numbers, which models often write for ids, are converted. */
export const id = (rules: Description = {}): Schema<string> =>
  converted(ofJson({ type: ['string', 'number'], ...rules }), (value) =>
    typeof value === 'number' ? String(value) : value,
  );

/** A value with a check of its own. @param problem returns why a value does not fit, such as `must be a URL`; null when it fits */
export function custom<T>(problem: (value: unknown) => string | null, json: JsonSchema = {}): Schema<T> {
  return {
    json,
    read(value, report) {
      const message = problem(value);
      if (message !== null) report(message);
      return value;
    },
  };
}

export const instanceOf = <T>(type: abstract new (...args: never) => T): Schema<T> =>
  custom((value) => (value instanceof type ? null : `must be an instance of ${type.name}`));

export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return {
    get json() {
      return schema.json;
    },
    isOptional: true,
    read: (value, report) => (value === undefined ? undefined : schema.read(value, report)),
  };
}

export function withDefault<T>(schema: Schema<T>, value: T): Schema<T> {
  return {
    json: { default: value, ...schema.json },
    isOptional: true,
    read: (given, report) => (given === undefined ? value : schema.read(given, report)),
  };
}

export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return {
    json: { anyOf: [schema.json, { type: 'null' }] },
    read: (value, report) => (value === null ? null : schema.read(value, report)),
  };
}

/** Also accepts `Infinity`. */
export function orInfinity(schema: Schema<number>): Schema<number> {
  return { ...schema, read: (value, report) => (value === Infinity ? value : schema.read(value, report)) };
}

/** Adds a description to a schema that others also use. */
export function described<T>(schema: Schema<T>, description: string): Schema<T> {
  return { ...schema, json: { ...schema.json, description } };
}

/** Converts a value that models also write in another form, before it is checked. */
export function converted<T>(schema: Schema<unknown>, convert: (value: unknown) => unknown): Schema<T> {
  return {
    json: schema.json,
    ...(schema.isOptional === true ? { isOptional: true } : {}),
    read: (value, report) => schema.read(convert(value), report),
  };
}

export function list<T>(item: Schema<T>, rules: ListRules = {}): Schema<T[]> {
  const array = ofJson({ type: 'array', ...rules });
  const json = lazy(() => ({ ...array.json, items: item.json }));
  return {
    get json() {
      return json();
    },
    read(value, report) {
      array.read(value, report);
      if (!Array.isArray(value)) return value;
      return value.map((each: unknown, index) =>
        item.read(each, (message, ...path) => report(message, index, ...path)),
      );
    },
  };
}

export function pair<A, B>(first: Schema<A>, second: Schema<B>): Schema<[A, B]> {
  return {
    json: { type: 'array', items: [first.json, second.json], minItems: 2, maxItems: 2 },
    read(value, report) {
      if (!Array.isArray(value) || value.length !== 2) {
        report('must be a pair');
        return value;
      }
      return [first, second].map((each, index) =>
        each.read(value[index], (message, ...path) => report(message, index, ...path)),
      );
    },
  };
}

/** An object with these fields. Others are dropped. */
export const object = <F extends Fields>(fields: F): Schema<ObjectOf<F>> => withFields(fields, 'drop');

/** An object with these fields. Others are reported. */
export const strictObject = <F extends Fields>(fields: F): Schema<ObjectOf<F>> =>
  withFields(fields, 'report');

/** An object with these fields. Others are passed on. */
export const looseObject = <F extends Fields>(fields: F): Schema<ObjectOf<F>> => withFields(fields, 'pass');

function withFields<F extends Fields>(fields: F, others: 'drop' | 'report' | 'pass'): Schema<ObjectOf<F>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isOptional }]) => isOptional !== true).map(([name]) => name);
  const json = lazy((): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.json])),
    ...(required.length === 0 ? {} : { required }),
    ...(others === 'drop' ? {} : { additionalProperties: others === 'report' ? false : {} }),
  }));
  return {
    get json() {
      return json();
    },
    read(value, report) {
      if (!isObject(value, report)) return value;
      const known = entries.flatMap(([name, field]) => {
        const given = Object.hasOwn(value, name) ? value[name] : undefined;
        const part = field.read(given, (message, ...path) => report(message, name, ...path));
        return part === undefined ? [] : [[name, part] as const];
      });
      const unknown =
        others === 'drop' ? [] : Object.entries(value).filter(([name]) => !Object.hasOwn(fields, name));
      if (others === 'report') for (const [name] of unknown) report(`must not have the property "${name}"`);
      return Object.fromEntries([...known, ...unknown]);
    },
  };
}

/** An object with values of one type. */
export function record<T>(schema: Schema<T>): Schema<Record<string, T>> {
  return {
    json: { type: 'object', additionalProperties: schema.json },
    read(value, report) {
      if (!isObject(value, report)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [
          name,
          schema.read(each, (message, ...path) => report(message, name, ...path)),
        ]),
      );
    },
  };
}

const OBJECT: JsonSchema = { type: 'object' };

function isObject(value: unknown, report: Report): value is Record<string, unknown> {
  if (isRecord(value)) return true;
  for (const { message } of issuesOf(OBJECT, value)) report(message);
  return false;
}

/** A value that fits one of the schemas: the first that fits reads it. Otherwise the issues of the closest one are reported. */
export function either<S extends readonly Schema<unknown>[]>(...schemas: S): Schema<TypeOf<S[number]>> {
  const json = lazy(() => ({ anyOf: schemas.map((schema) => schema.json) }));
  return {
    get json() {
      return json();
    },
    read(value, report) {
      const failed: (readonly InputIssue[])[] = [];
      for (const schema of schemas) {
        const result = read(schema, value);
        if (result.success) return result.data;
        const { type } = schema.json;
        // Of two that are equally close, the first is reported: one that expects the type of the value.
        if (issuesOf({ type }, value).length === 0) failed.unshift(result.error.issues);
        else failed.push(result.error.issues);
      }
      for (const { message, path } of closestIssues(failed)) report(message, ...path);
      return value;
    },
  };
}
