import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import type {
  Experience,
  ExperienceScore,
  ExperienceHost,
  ExperienceSource,
  ExperienceStore,
  RoleExperience,
} from '../base/experience.js';
import type { Embedder } from '../base/model.js';
import { formatExperiences } from './context-builder.js';
import { Entries } from './entries.js';
import {
  bounded,
  lengthOf,
  newExperience,
  readExperience,
  scoreOf,
  uuidOf,
  type ExperienceInit,
} from './experience.js';
import { memoryExperiences } from './memory-store.js';
import { isPerfect } from './perfect-judge.js';
import { readExperiences, type ExperienceExport } from './pool-document.js';
import { roleZeroSerializer } from './serializer.js';
import { sha256 } from '../base/sha256.js';
import {
  StepExperience,
  type ExperienceRequest,
  type Recollection,
  type StepPool,
} from './step-experience.js';

/** A pool is off until reading or writing is turned on (spec 19.2). */
export interface ExperiencePoolOptions {
  /** Sessions that name the same pool share it: the project, say. Default `'default'`. */
  name?: string;
  /** Where it is kept. Default: in the memory of this worker, for as long as that lives. */
  store?: ExperienceStore;
  /** Default: true when reading or writing is on. */
  enabled?: boolean;
  /** Let experiences be used. Default false. */
  enableRead?: boolean;
  /** Let experiences be made. Default false. */
  enableWrite?: boolean;
  /** Finds similar requests by meaning, not by shared words alone. */
  embedder?: Embedder;
  /** How many similar experiences are found; default 2. */
  topK?: number;
  /** Experiences that score less are kept and no longer used; default 4. */
  quarantineBelow?: number;
  /** Default 1,000; beyond, the lowest scores go first, the oldest of them before the others. */
  maxEntries?: number;
  /** Characters of one experience; a longer one is not kept. Default 64,000. */
  maxEntryLength?: number;
  /** Characters of all together; default 8,000,000. */
  maxTotalLength?: number;
  /** Milliseconds since 1970; default the machine's clock. */
  now?: () => number;
  /** Hears of faults of the store that `createExp` and `queryExps` make nothing of. */
  onFault?: (fault: RoleZeroError) => void;
}

export interface ExperienceQuery {
  /** Only experiences of this tag; default: of any. */
  tag?: string;
  /** `exact`: the very same request only. Default `semantic`: that one first, then similar ones. */
  queryType?: 'exact' | 'semantic';
}

const MAX_NAME = 200;
/** Characters of a request and of a reply in the prompt of a role. */
const SHOWN = 1_200;

/**
 * What was asked before and how it was answered (spec 19): replies that proved perfect are given again without asking a model, others serve
 * as examples, and what failed is quarantined. Shared by the sessions that name it; another tab's new experiences are found by their exact
 * request at once, by similarity after a reload.
 *
 * @example new ExperiencePool({ name: 'shop', store: indexedDbExperiences(), enableRead: true, enableWrite: true })
 */
export class ExperiencePool implements ExperienceSource, StepPool {
  readonly name: string;
  /** The switch over both others. */
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
  /** Scores of experiences that failed while the pool was read-only. */
  readonly #rated = new Map<string, ExperienceScore>();

  /** @throws RoleZeroError `invalid` when the name is empty or longer than 200 characters. */
  constructor(options: ExperiencePoolOptions = {}) {
    this.name = checkName(options.name ?? 'default');
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

  /** Turning it on also enables the pool; turning it off leaves that as it is. The same holds for writing. */
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

  /** Keeps an experience, in place of one of the same tag and request. Nothing happens unless the pool is writable; never throws. */
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

  /** What is known about a request, quarantined experiences left out; none when the pool is not readable. Never throws. */
  async queryExps(req: string, query: ExperienceQuery = {}): Promise<Experience[]> {
    if (!this.isReadable) return [];
    try {
      return await this.#find(req, query.tag ?? '', query.queryType ?? 'semantic');
    } catch (error) {
      this.#onFault(toRoleZeroError(error, 'storage-failed'));
      return [];
    }
  }

  /** Removes everything. Nothing happens unless the pool is writable. @throws RoleZeroError `storage-…`. */
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

  /** Everything, quarantined experiences included. @throws RoleZeroError `storage-…`. */
  async list(): Promise<Experience[]> {
    return structuredClone((await this.#load()).all());
  }

  /** Removes one; what is not there is no error. @throws RoleZeroError `storage-…`. */
  async remove(uuid: string): Promise<void> {
    const entries = await this.#load();
    await this.#store.remove(this.name, [uuid]);
    entries.delete(uuid);
  }

  /** True for an experience that scored too low to be used. */
  isQuarantined(experience: Experience): boolean {
    const score = scoreOf(experience);
    return score !== null && score < this.#options.quarantineBelow;
  }

  /** @throws RoleZeroError `storage-…`. */
  async export(): Promise<ExperienceExport> {
    return { format: 'rolezero-experiences', version: 1, name: this.name, experiences: await this.list() };
  }

  /**
   * Adds the experiences of an exported document, in place of those of the same tag and request; returns how many were taken. A perfect
   * experience is a reply that will be acted on: import only what you would run.
   *
   * @throws RoleZeroError `invalid` naming the place that is not acceptable, `storage-…`.
   */
  async import(document: unknown): Promise<number> {
    return this.#keep(readExperiences(document));
  }

  /** The experience of one role: what its option `experiencePool` does. */
  follow(host: ExperienceHost): RoleExperience {
    return new StepExperience(this, host);
  }

  digest(text: string): string {
    return sha256(text);
  }

  async recall({ tag, messages, stateData, known = [] }: ExperienceRequest): Promise<Recollection | null> {
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
      advice: perfect === undefined ? formatExperiences(found, SHOWN) : '',
    };
  }

  /** Of two replies to the same request the better one is kept. */
  async learn({ tag, req }: Recollection, resp: string, score: ExperienceScore): Promise<void> {
    if (!this.isWritable) return;
    const init = { tag, req, resp, metric: { score }, expType: this.#kindOf(score) };
    const fresh = newExperience(init, this.#options.now());
    const known = await this.#current(fresh.uuid);
    if (known !== null && known.resp !== '' && (scoreOf(known) ?? 0) > (scoreOf(fresh) ?? 0)) return;
    await this.#keep([fresh]);
  }

  /** A score that cannot be written, since the pool is only read, holds for as long as this worker lives. */
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
    // With a tag its key is known, and another tab may have made or judged it.
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

  /** An entry as it is in the store now. */
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

  /** Stores what is not too long, then lets go of what is too much; returns how many were stored. */
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
      if (this.#loading === loading) this.#loading = null; // the next use tries again
    });
    return loading;
  }
}

function checkName(name: string): string {
  if (name !== '' && name.length <= MAX_NAME) return name;
  throw new RoleZeroError('invalid', `A pool needs a name of 1 to ${MAX_NAME} characters.`, {
    length: name.length,
  });
}
