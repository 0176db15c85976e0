/** `T` without undefined properties: properties that may be undefined become optional. */
export type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/**
 * Returns a copy without undefined properties, for types whose optional properties must be absent.
 *
 * @example { type: 'finish', ...defined({ usage }) }
 */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
