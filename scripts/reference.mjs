/**
 * Writes `docs/reference/`, a page for each entry of the package, from what stands above each export in the source. With a folder as
 * argument it writes there instead.
 *
 *     npm run docs
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, ReflectionKind } from 'typedoc';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? `${root}/docs/reference`);
const { exports } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
/** What is imported, by the path of its source without ending: `tools/index` → `rolezero/tools`. */
const names = new Map(
  Object.entries(exports)
    .filter(([, entry]) => typeof entry === 'object')
    .map(([path, { types }]) => [
      types.replace('./dist/', '').replace('.d.ts', ''),
      path.replace('.', 'rolezero'),
    ]),
);

const app = await Application.bootstrapWithPlugins({
  name: 'rolezero',
  entryPoints: [...names.keys()].map((path) => `${root}src/${path}.ts`),
  tsconfig: `${root}/tsconfig.build.json`,
  plugin: ['typedoc-plugin-markdown'],
  router: 'module',
  outputs: [{ name: 'markdown', path: out }],
  basePath: `${root}/src`,
  disableSources: true, // a line that moves must not change the page
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  expandObjects: true,
  useCodeBlocks: true,
  logLevel: 'Warn',
});
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getReflectionsByKind(ReflectionKind.Module))
    module.name = names.get(module.name) ?? names.get(`${module.name}/index`) ?? module.name;
});
app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
  // A subclass is told of by what it adds; the rest stands with the class it extends.
  for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember))
    if (member.inheritedFrom !== undefined) project.removeReflection(member);
});
const project = await app.convert();
if (project === undefined) process.exit(1);
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
