/**
 * Defines `Symbol.dispose`, which WebKit lacks. Without it, a method of the interpreter's class gets the name "undefined", and replaces the value
 * `undefined` of programs. Must be imported before the interpreter.
 */
if ((Symbol as { dispose?: symbol }).dispose === undefined)
  Object.defineProperty(Symbol, 'dispose', { value: Symbol('Symbol.dispose') });
