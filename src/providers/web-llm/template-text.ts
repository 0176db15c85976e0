/**
 * web-llm fills its chat templates with `String.replace`: `$$`, `$&`, `` $` `` and `$'` in a message would be taken for instructions, and
 * the first `{function_string}` for a place to fill with nothing. Written like this a message comes out of the template as it was.
 */
export function forTemplate(text: string): string {
  return text.replaceAll('$', '$$$$').replace(FUNCTIONS, `${FUNCTIONS}${FUNCTIONS}`);
}

const FUNCTIONS = '{function_string}';

/** The system prompt has a template of its own, without functions. */
export function forSystemTemplate(text: string): string {
  return text.replaceAll('$', '$$$$');
}
