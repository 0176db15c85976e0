import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type {
  Experience,
  ExperienceScore,
  ExperienceSource,
  ExperienceStore,
  RoleExperience,
} from '../core/experience.js';
import type { Embedder } from '../core/model.js';
import { sha256 } from '../core/sha256.js';
import { Entries } from './entries.js';
import {
  bounded,
  isPerfect,
  lengthOf,
  newExperience,
  readExperience,
  readExperiences,
  scoreOf,
  uuidOf,
  type ExperienceExport,
  type ExperienceInit,
} from './experience.js';
import { memoryExperiences } from './memory-store.js';
import { StepExperience, type ExperienceRequest, type PoolMatch, type StepPool } from './step-experience.js';
import { formatExperiences, roleZeroSerializer } from './texts.js';

/** Options of an experience pool. A pool is disabled until reading or writing is enabled. */
export interface ExperiencePoolOptions {
  /**
   * Name of the pool, such as the project. Sessions that use the same name share the pool.
   * @default 'default'
   */
  name?: string;
  /** Store for the experiences. By default, the memory of this worker until it ends. */
  store?: ExperienceStore;
  /** By default, true when reading or writing is enabled. */
  enabled?: boolean;
  /**
   * Allows experiences to be used.
   * @default false
   */
  enableRead?: boolean;
  /**
   * Allows experiences to be stored.
   * @default false
   */
  enableWrite?: boolean;
  /** Finds similar requests by meaning as well as by shared words. */
  embedder?: Embedder;
  /**
   * Maximum number of experiences that a semantic query returns.
   * @default 2
   */
  topK?: number;
  /**
   * Experiences with a lower score stay stored but are not used.
   * @default 4
   */
  quarantineBelow?: number;
  /**
   * Maximum number of experiences. Beyond it, those with the lowest scores are deleted first, the oldest among equals.
   * @default 1_000
   */
  maxEntries?: number;
  /**
   * Maximum size of one experience in characters. Larger ones are not stored.
   * @default 64_000
   */
  maxEntryLength?: number;
  /**
   * Maximum total size of all experiences in characters.
   * @default 8_000_000
   */
  maxTotalLength?: number;
  /**
   * Returns milliseconds since 1970.
   * @default Date.now
   */
  now?: () => number;
  /** Called with store errors that `createExp` and `queryExps` do not throw. */
  onFault?: (fault: RoleZeroError) => void;
}

export interface ExperienceQuery {
  /** Returns only experiences with this tag. By default, any tag. */
  tag?: string;
  /**
   * `exact` returns only experiences with the identical request; `semantic` also returns similar ones after it.
   * @default 'semantic'
   */
  queryType?: 'exact' | 'semantic';
}

const MAX_POOL_NAME = 200;
/** Maximum number of characters of a request and of a reply in the prompt of a role. */
const MAX_EXAMPLE_CHARACTERS = 1_200;

/**
 * Stores past requests with their replies. Perfect replies are reused without calling a model, others serve as examples, and failures are
 * quarantined.
 *
 * Sessions with the same pool name share it. New experiences from another tab are found immediately by an exact request, and by similarity
 * after a reload.
 *
 * @example new ExperiencePool({ name: 'shop', store: indexedDbExperiences(), enableRead: true, enableWrite: true })
 */
export class ExperiencePool implements ExperienceSource, StepPool {
  readonly name: string;
  /** Master switch for reading and writing. */
  enabled: boolean;
  #read: boolean;
  #write: boolean;
  readonly #store: ExperienceStore;
  readonly #options: Required<
    Pick<
      ExperiencePoolOptions,
      'topK' | 'quarantineBelow' | 'maxEntries' | 'maxEntryLength' | 'maxTotalLength' | 'now'
    >
  >;
  readonly #embedder: Embedder | undefined;
  readonly #onFault: (fault: RoleZeroError) => void;
  #loading: Promise<Entries> | null = null;
  /** Scores of experiences that were rated while the pool was read-only. */
  readonly #rated = new Map<string, ExperienceScore>();

  /** @throws RoleZeroError `invalid` when the name is empty or longer than 200 characters. */
  constructor(options: ExperiencePoolOptions = {}) {
    this.name = checkPoolName(options.name ?? 'default');
    this.#read = options.enableRead ?? false;
    this.#write = options.enableWrite ?? false;
    this.enabled = options.enabled ?? (this.#read || this.#write);
    this.#store = options.store ?? memoryExperiences();
    this.#embedder = options.embedder;
    this.#onFault = options.onFault ?? (() => {});
    this.#options = {
      topK: options.topK ?? 2,
      quarantineBelow: options.quarantineBelow ?? 4,
      maxEntries: options.maxEntries ?? 1_000,
      maxEntryLength: options.maxEntryLength ?? 64_000,
      maxTotalLength: options.maxTotalLength ?? 8_000_000,
      now: options.now ?? Date.now,
    };
  }

  /**
   * True when reading is enabled. Setting it to true also enables the pool; setting it to false does not disable the pool. The same applies
   * to `enableWrite`.
   */
  get enableRead(): boolean {
    return this.#read;
  }
  set enableRead(on: boolean) {
    this.#read = on;
    if (on) this.enabled = true;
  }

  get enableWrite(): boolean {
    return this.#write;
  }
  set enableWrite(on: boolean) {
    this.#write = on;
    if (on) this.enabled = true;
  }

  get isReadable(): boolean {
    return this.enabled && this.#read;
  }

  get isWritable(): boolean {
    return this.enabled && this.#write;
  }

  /** Stores an experience and replaces one with the same tag and request. Does nothing unless the pool is writable. Never rejects. */
  createExp(experience: ExperienceInit): Promise<void> {
    return this.createExps([experience]);
  }

  async createExps(experiences: readonly ExperienceInit[]): Promise<void> {
    if (!this.isWritable) return;
    try {
      await this.#keep(experiences.map((experience) => newExperience(experience, this.#options.now())));
    } catch (error) {
      this.#onFault(toRoleZeroError(error, 'storage-failed'));
    }
  }

  /** Returns the experiences for a request, without quarantined ones. Returns none when the pool is not readable. Never rejects. */
  async queryExps(req: string, query: ExperienceQuery = {}): Promise<Experience[]> {
    if (!this.isReadable) return [];
    try {
      return await this.#find(req, query.tag ?? '', query.queryType ?? 'semantic');
    } catch (error) {
      this.#onFault(toRoleZeroError(error, 'storage-failed'));
      return [];
    }
  }

  /**
   * Removes all experiences. Does nothing unless the pool is writable.
   * @throws RoleZeroError `storage-…`.
   */
  async deleteAllExps(): Promise<void> {
    if (!this.isWritable) return;
    const entries = await this.#load();
    await this.#store.clear(this.name);
    entries.clear();
  }

  /** @throws RoleZeroError `storage-…`. */
  async getExpsCount(): Promise<number> {
    return (await this.#load()).size;
  }

  /**
   * Returns all experiences, including quarantined ones.
   * @throws RoleZeroError `storage-…`.
   */
  async list(): Promise<Experience[]> {
    return structuredClone((await this.#load()).all());
  }

  /**
   * Removes an experience. Does nothing when it does not exist.
   * @throws RoleZeroError `storage-…`.
   */
  async remove(uuid: string): Promise<void> {
    const entries = await this.#load();
    await this.#store.remove(this.name, [uuid]);
    entries.delete(uuid);
  }

  /** Returns true when the score of an experience is too low for it to be used. */
  isQuarantined(experience: Experience): boolean {
    const score = scoreOf(experience);
    return score !== null && score < this.#options.quarantineBelow;
  }

  /** @throws RoleZeroError `storage-…`. */
  async export(): Promise<ExperienceExport> {
    return { format: 'rolezero-experiences', version: 1, name: this.name, experiences: await this.list() };
  }

  /**
   * Imports the experiences of an exported document and returns how many were stored. Replaces experiences with the same tag and request.
   * Roles act on the reply of a perfect experience, so import only replies that you would run.
   *
   * @throws RoleZeroError `invalid` with the path of the invalid field; `storage-…`.
   */
  async import(document: unknown): Promise<number> {
    return this.#keep(readExperiences(document));
  }

  /** Creates the experience of one role, as used by its option `experiencePool`. */
  follow(...args: Parameters<ExperienceSource['follow']>): RoleExperience {
    return new StepExperience(this, ...args);
  }

  digest(text: string): string {
    return sha256(text);
  }

  async recall({ tag, messages, stateData, known = [] }: ExperienceRequest): Promise<PoolMatch | null> {
    if (!this.enabled) return null;
    const req = roleZeroSerializer.serializeReq({ req: messages, stateData });
    if (req === '') return null;
    const found = this.isReadable ? await this.#find(req, tag, 'semantic', new Set(known)) : [];
    const perfect = found.find((experience) => isPerfect(experience, req) && experience.resp !== '');
    return {
      uuid: uuidOf(tag, req),
      tag,
      req,
      resp: perfect?.resp ?? null,
      advice: perfect === undefined ? formatExperiences(found, MAX_EXAMPLE_CHARACTERS) : '',
    };
  }

  /** Stores a reply unless the stored reply to the same request has a better score. */
  async learn({ tag, req }: PoolMatch, resp: string, score: ExperienceScore): Promise<void> {
    if (!this.isWritable) return;
    const init = { tag, req, resp, metric: { score }, expType: this.#kindOf(score) };
    const fresh = newExperience(init, this.#options.now());
    const known = await this.#current(fresh.uuid);
    if (known !== null && known.resp !== '' && (scoreOf(known) ?? 0) > (scoreOf(fresh) ?? 0)) return;
    await this.#keep([fresh]);
  }

  /** Rates an experience. If the pool is not writable, the score applies only until this worker ends. */
  async rate(uuid: string, score: ExperienceScore): Promise<void> {
    const known = await this.#current(uuid);
    if (known === null) return;
    const rated = this.#withScore(known, bounded(score));
    if (this.isWritable) await this.#keep([rated]);
    else this.#rated.set(uuid, bounded(score));
  }

  async lower(uuid: string, score: ExperienceScore): Promise<void> {
    const known = await this.#current(uuid);
    const val = known === null ? null : scoreOf(known);
    if (val !== null && val > bounded(score).val) await this.rate(uuid, score);
  }

  async #find(
    req: string,
    tag: string,
    queryType: 'exact' | 'semantic',
    known: ReadonlySet<string> = new Set(),
  ): Promise<Experience[]> {
    const entries = await this.#load();
    const usable = (entry: Experience): boolean =>
      (tag === '' || entry.tag === tag) && !this.isQuarantined(this.#judged(entry));
    // With a tag, the uuid is known. Read it from the store, because another tab may have created or rated it.
    const candidates = tag === '' ? entries.all() : [await this.#current(uuidOf(tag, req))];
    const same = candidates.flatMap((entry) => (entry?.req === req && usable(entry) ? entry : []));
    const others =
      queryType === 'exact'
        ? []
        : await entries.similar(
            req,
            (entry) => entry.req !== req && !known.has(entry.uuid) && usable(entry),
            this.#embedder,
          );
    const found = queryType === 'exact' ? same : [...same, ...others].slice(0, this.#options.topK);
    return structuredClone(found.map((entry) => this.#judged(entry)));
  }

  /** Reads an entry from the store, which may be newer than memory. */
  async #current(uuid: string): Promise<Experience | null> {
    const entries = await this.#load();
    const stored = readExperience(await this.#store.get(this.name, uuid));
    if (stored?.uuid !== uuid) {
      entries.delete(uuid);
      return null;
    }
    entries.put(stored);
    return this.#judged(stored);
  }

  #judged(entry: Experience): Experience {
    const score = this.#rated.get(entry.uuid);
    return score === undefined ? entry : this.#withScore(entry, score);
  }

  #withScore(entry: Experience, score: ExperienceScore): Experience {
    return { ...entry, expType: this.#kindOf(score), metric: { ...entry.metric, score } };
  }

  #kindOf({ val }: ExperienceScore): 'success' | 'failure' {
    return val < this.#options.quarantineBelow ? 'failure' : 'success';
  }

  /** Stores experiences within the length limit, then deletes those beyond the limits. Returns how many were stored. */
  async #keep(experiences: readonly Experience[]): Promise<number> {
    const entries = await this.#load();
    const fitting = experiences.filter((experience) => lengthOf(experience) <= this.#options.maxEntryLength);
    if (fitting.length === 0) return 0;
    await this.#store.put(this.name, fitting);
    for (const experience of fitting) {
      this.#rated.delete(experience.uuid);
      entries.put(experience);
    }
    const surplus = entries.surplus(this.#options);
    if (surplus.length > 0) {
      await this.#store.remove(this.name, surplus);
      for (const uuid of surplus) entries.delete(uuid);
    }
    return fitting.length;
  }

  #load(): Promise<Entries> {
    this.#loading ??= this.#store
      .list(this.name)
      .then((values) => new Entries(values.flatMap((value) => readExperience(value) ?? [])));
    const loading = this.#loading;
    loading.catch(() => {
      if (this.#loading === loading) this.#loading = null; // the next use retries
    });
    return loading;
  }
}

function checkPoolName(name: string): string {
  if (name !== '' && name.length <= MAX_POOL_NAME) return name;
  throw new RoleZeroError('invalid', `A pool needs a name of 1 to ${MAX_POOL_NAME} characters.`, {
    length: name.length,
  });
}
