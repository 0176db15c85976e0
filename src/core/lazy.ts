/**
 * Returns a function that makes a value when it is first needed, and keeps it. For what costs a start of the worker and is needed later:
 * browsers read a regular expression with Unicode classes as soon as it is reached, and some take a millisecond.
 */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
