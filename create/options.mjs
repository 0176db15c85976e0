// @ts-check
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * What to create.
 * @typedef {object} Options
 * @property {string} folder
 * @property {'vanilla' | 'react' | 'vue' | 'svelte' | 'next' | 'astro'} template
 * @property {'webgpu' | 'ollama' | 'hosted'} model
 * @property {string} [baseUrl] address of the server, up to and including `/v1`
 * @property {string} [modelName] name of the model, as its server or web-llm knows it
 * @property {string} rolezero version of the package, or the path of a tarball
 */

/** The choices of the options that have some, with their descriptions. The first one is the default. */
export const CHOICES = {
  template: {
    vanilla: 'no framework',
    react: 'React',
    vue: 'Vue',
    svelte: 'Svelte',
    next: 'Next, with static files',
    astro: 'Astro, which needs Node 22.12 or newer',
  },
  model: {
    ollama: 'Ollama, or another server on this machine',
    webgpu: 'on the GPU of the visitor, with web-llm; it is downloaded once',
    hosted: 'a hosted model; each visitor enters a key, which stays in the browser',
  },
};

/** This package has the version of the library. @type {{ version: string }} */
const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

/** @type {Options} */
export const DEFAULTS = { folder: 'my-agent', template: 'vanilla', model: 'ollama', rolezero: `^${version}` };

export const HELP = `Creates an application with an agent of rolezero.

npm create rolezero@latest [folder] -- [options]

  --template NAME     ${Object.keys(CHOICES.template).join(', ')} (default ${DEFAULTS.template})
  --model NAME        ${Object.keys(CHOICES.model).join(', ')} (default ${DEFAULTS.model})
  --base-url URL      address of the model's server, up to and including /v1
  --model-name NAME   the model, as its server or web-llm knows it
  --rolezero VERSION  version or tarball of rolezero (default ${DEFAULTS.rolezero})
  --yes               ask nothing: use the defaults
  --help              show this text`;

/**
 * Reads the arguments of the program. Without any, it asks.
 * @param {readonly string[]} args
 * @returns {Partial<Options> & { help: boolean, isInteractive: boolean }}
 * @throws Error naming the argument that is wrong
 */
export function readArguments(args) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      template: { type: 'string' },
      model: { type: 'string' },
      'base-url': { type: 'string' },
      'model-name': { type: 'string' },
      rolezero: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 1)
    throw new Error(`Name one folder, got ${positionals.join(' and ')}. See --help.`);
  const [folder] = positionals;
  const baseUrl = values['base-url'];
  if (baseUrl !== undefined && !URL.canParse(baseUrl))
    throw new Error(`--base-url must be an address such as http://localhost:11434/v1, got ${baseUrl}.`);
  const given = {
    folder,
    template: oneOf('--template', values.template, CHOICES.template),
    model: oneOf('--model', values.model, CHOICES.model),
    baseUrl,
    modelName: values['model-name'],
    rolezero: values.rolezero,
  };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    help: values.help,
    isInteractive: !values.yes,
  };
}

/**
 * @template {string} Name
 * @param {string} option
 * @param {string | undefined} value
 * @param {Readonly<Record<Name, string>>} choices
 * @returns {Name | undefined}
 */
function oneOf(option, value, choices) {
  if (value === undefined || Object.hasOwn(choices, value)) return /** @type {Name | undefined} */ (value);
  throw new Error(`${option} must be ${Object.keys(choices).join(', ')}, got ${value}.`);
}
