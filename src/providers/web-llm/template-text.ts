/**
 * Escapes text for web-llm's chat templates, which are filled with `String.replace`. Without this, `$$`, `$&`, `` $` ``, and `$'` in a
 * message would be replacement patterns, and the first `{function_string}` would be replaced with nothing.
 */
export function forTemplate(text: string): string {
  return text.replaceAll('$', '$$$$').replace(FUNCTIONS, `${FUNCTIONS}${FUNCTIONS}`);
}

const FUNCTIONS = '{function_string}';

/** Escapes a system prompt. Its template is separate and has no `{function_string}`. */
export function forSystemTemplate(text: string): string {
  return text.replaceAll('$', '$$$$');
}
