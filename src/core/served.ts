declare const configType: unique symbol;

/** Returned by `serve`: carries the type of `config` to the page, and has no members at run time. */
export interface Served<Config> {
  readonly [configType]: Config;
}

/** The config declared by a worker file: of `typeof import('./agent.worker')`, or of the type of its default export. */
export type ConfigOf<WorkerFile> =
  WorkerFile extends Served<infer Config>
    ? Config
    : WorkerFile extends { default: Served<infer Config> }
      ? Config
      : never;
