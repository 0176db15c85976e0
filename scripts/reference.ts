/**
 * Writes the reference for the documentation site: a Markdown page for each entry point, from the doc comments of its exports.
 *
 *     node scripts/run.mjs scripts/reference.ts [FOLDER]
 *
 * The default is `reports/reference`. `npm run docs` builds the site with these pages.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, ReflectionKind, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { publicEntries } from './public-entries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns 1 if the generator reports an error or a warning. */
export async function main([folder = `${root}reports/reference`]: readonly string[]): Promise<number> {
  const entries = publicEntries();
  const names = new Map([...entries].map(([name, path]) => [path.replace(/\.ts$/, ''), name]));
  const options: TypeDocOptions & Partial<PluginOptions> & { placeInternalsInOwningModule: boolean } = {
    name: 'Reference',
    entryPoints: [...entries.values()].map((path) => `${root}src/${path}`),
    tsconfig: `${root}tsconfig.build.json`,
    plugin: ['typedoc-plugin-markdown', 'typedoc-plugin-missing-exports'],
    placeInternalsInOwningModule: true, // Options and results from which users derive types.
    router: 'module',
    outputs: [{ name: 'markdown', path: resolve(folder) }],
    basePath: `${root}src`,
    disableSources: true,
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
    useHTMLAnchors: true, // The generator counts equal headings differently than Markdown renderers do.
    logLevel: 'Warn',
  };
  const app = await Application.bootstrapWithPlugins(options);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module))
      module.name = names.get(module.name) ?? names.get(`${module.name}/index`) ?? module.name;
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    // The page of a subclass lists what it adds; inherited members are on the page of its base class.
    for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember))
      if ('inheritedFrom' in member && member.inheritedFrom !== undefined) project.removeReflection(member);
  });
  const project = await app.convert();
  if (project === undefined) return 1;
  await app.generateOutputs(project);
  return app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0;
}
