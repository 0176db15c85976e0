import { computed, type ComputedRef, type ShallowRef } from 'vue';

type Method = (...args: never[]) => unknown;

/** The fields of a view as refs. Its functions stay functions. */
export type Refs<View> = {
  readonly [Key in keyof View]: View[Key] extends Method ? View[Key] : ComputedRef<View[Key]>;
};

/** Returns refs to the fields of a view that is replaced when something changes, and functions that call those of the newest view. */
export function refsOf<View extends object>(view: Readonly<ShallowRef<View>>): Refs<View> {
  const fields = Object.entries(view.value).map(([name, value]: [string, unknown]) => {
    const newest = (): unknown => view.value[name as keyof View];
    const call = (...args: never[]): unknown => (newest() as Method)(...args);
    return [name, typeof value === 'function' ? call : computed(newest)];
  });
  return Object.fromEntries(fields) as Refs<View>;
}
