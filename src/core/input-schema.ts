/** The methods a schema must have. Every zod 4 schema has them (`import * as z from 'zod'`). */
export interface InputSchema<Input = unknown> {
  safeParse(
    value: unknown,
  ): { success: true; data: Input } | { success: false; error: { issues: readonly InputIssue[] } };
  /** JSON Schema draft 7. Method syntax is intentional: the parameter type of zod is narrower. */
  toJSONSchema(options?: {
    io?: 'input' | 'output';
    target?: 'draft-7';
    unrepresentable?: 'any' | 'throw';
  }): object;
}

export interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
}

/** Returns whether a value has the methods of a zod 4 schema. */
export function isInputSchema(value: unknown): value is InputSchema {
  const { safeParse, toJSONSchema } = (value ?? {}) as Partial<Record<keyof InputSchema, unknown>>;
  return typeof safeParse === 'function' && typeof toJSONSchema === 'function';
}
