import { RoleZeroError } from '../core/error.js';
import type {
  ExperienceScore,
  ExperienceTrace,
  PastExperience,
  RoleExperience,
  StepSituation,
} from '../core/experience.js';
import { fingerprint } from '../core/fingerprint.js';
import { inTime } from '../core/in-time.js';
import type { JsonValue } from '../core/json.js';
import { QUICK_THINK, type Message } from '../core/message.js';

/** Next model request of a role, without anything that varies between sessions. */
export interface ExperienceRequest {
  tag: string;
  /** Newest messages to the role. */
  messages: readonly { role: string; content: string }[];
  stateData: Readonly<Record<string, JsonValue>>;
  /** Uuids of experiences that are already in its conversation. They are not used as examples again. */
  known?: readonly string[];
}

/** Result of looking up a request in the pool. */
export interface PoolMatch {
  uuid: string;
  tag: string;
  /** Serialized request, as stored. */
  req: string;
  /** Perfect reply to this exact request, or null when the model must be asked. */
  resp: string | null;
  /** Similar experiences as text for the prompt. Empty when there are none, or when `resp` is set. */
  advice: string;
}

/** Pool methods that `StepExperience` needs. They may reject. */
export interface StepPool {
  /** True when the pool is enabled; may change at any time. */
  readonly enabled: boolean;
  /** Returns a short digest of a long text. Only equal texts have equal digests. */
  digest(text: string): string;
  /** Looks up a request. Returns null when the pool is disabled or the request cannot be identified. */
  recall(request: ExperienceRequest): Promise<PoolMatch | null>;
  /** Stores a model reply with its score. Idempotent. */
  learn(asked: PoolMatch, resp: string, score: ExperienceScore): Promise<void>;
  /** Sets the score of an experience after it was reused. Does nothing when it no longer exists. */
  rate(uuid: string, score: ExperienceScore): Promise<void>;
  /** Lowers the score of an experience. Does nothing when its score is not higher. */
  lower(uuid: string, score: ExperienceScore): Promise<void>;
}

const NO_EXPERIENCE: PastExperience = { uuid: null, reply: null, advice: '' };

/** Maximum number of characters of a message, and of each part of the state, that are searched. Equality is checked by digest. */
const SEARCHED_MESSAGE = 8_000;
const SEARCHED_PART = 1_500;
/** In ms. Pool operations that take longer are abandoned. */
const POOL_TIMEOUT_MS = 5_000;
/** Maximum number of steps per request whose scores are lowered when the request fails. */
const MAX_TRACED_STEPS = 200;

const WORKED = { val: 10, reason: 'Every command succeeded.' };
const USELESS = 1;
/** Score when the commands succeeded but the run was not completed: no longer perfect, but still an example. */
const LED_NOWHERE = { val: 5, reason: 'The run it was part of ended without being finished.' };

/**
 * Tracks the steps of one role. A step is identified by everything the role has received up to it, so that a reply is only reused in the
 * identical situation.
 */
export class StepExperience implements RoleExperience {
  readonly #pool: StepPool;
  readonly #trace: () => ExperienceTrace;
  readonly #warn: (message: string, error: unknown) => void;
  /** Digest of the role's messages, in order. */
  #trail = '';
  /** Request of the current step. It is lost in a crash; then that step is not learned from. */
  #asked: PoolMatch | null = null;

  constructor(pool: StepPool, trace: () => ExperienceTrace, warn: (message: string, error: unknown) => void) {
    this.#pool = pool;
    this.#trace = trace;
    this.#warn = warn;
  }

  restart(messages: readonly Message[]): void {
    this.#trail = '';
    this.#asked = null;
    for (const message of messages) this.remember(message);
  }

  /** Adds a message to the digest. Skips text that the model wrote only for users, because it varies. */
  remember(message: Message): void {
    const { canonical: stored } = message.metadata;
    // Earlier releases stored the form itself, in place of its hash.
    const canonical = typeof stored === 'string' && stored.startsWith('[') ? fingerprint(stored) : stored;
    const talk = message.isAiMessage && message.causeBy !== QUICK_THINK && message.sentFrom === '';
    if (talk && typeof canonical !== 'string') return;
    this.#trail = this.#pool.digest(
      JSON.stringify([this.#trail, typeof canonical === 'string' ? canonical : message.content]),
    );
  }

  async recall(situation: () => StepSituation): Promise<PastExperience> {
    this.#asked = null;
    if (!this.#pool.enabled) return NO_EXPERIENCE;
    const found = await this.#guarded('be consulted', () => this.#pool.recall(this.#request(situation())));
    if (found === undefined || found === null) return NO_EXPERIENCE;
    if (found.resp === null) this.#asked = found;
    return { uuid: found.uuid, reply: found.resp, advice: found.advice };
  }

  taken({ uuid, reply }: PastExperience): void {
    const trace = this.#trace();
    trace.current = uuid;
    trace.reused = reply !== null;
    if (uuid !== null) trace.all = [...trace.all, uuid].slice(-MAX_TRACED_STEPS);
  }

  async settle(reply: string | null, failure: string | null): Promise<void> {
    const trace = this.#trace();
    const { current, reused } = trace;
    const asked = this.#asked;
    trace.current = null;
    this.#asked = null;
    if (current === null) return;
    const score = failure === null ? WORKED : { val: USELESS, reason: failure };
    if (reused) {
      if (failure !== null) await this.#guarded('be corrected', () => this.#pool.rate(current, score));
    } else if (asked?.uuid === current && reply !== null) {
      await this.#guarded('be added to', () => this.#pool.learn(asked, reply, score));
    }
  }

  /** Lowers the score of all its steps, so that none is repeated without asking the model. */
  async unfinished(): Promise<void> {
    for (const uuid of new Set(this.#trace().all)) {
      await this.#guarded('be corrected', () => this.#pool.lower(uuid, LED_NOWHERE));
    }
  }

  #request(situation: StepSituation): ExperienceRequest {
    const { tag, system, goal, planStatus, currentTask, language, news } = situation;
    const observation = news.map(({ content }) => content).join('\n\n');
    const part = (text: string): string => text.slice(0, SEARCHED_PART);
    const whole = JSON.stringify([system, goal, planStatus, currentTask, language, this.#trail]);
    return {
      tag,
      messages: [
        ...news.map(({ role, content }) => ({ role, content: content.slice(0, SEARCHED_MESSAGE) })),
        { role: 'user', content: planStatus },
      ],
      stateData: {
        goal: part(goal),
        plan_status: part(planStatus),
        current_task: part(currentTask),
        last_observation: part(observation),
        // Covers the instruction, the tools, and all earlier messages in full.
        digest: this.#pool.digest(whole),
      },
      known: this.#trace().all,
    };
  }

  async #guarded<Value>(what: string, action: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await inTime(action(), POOL_TIMEOUT_MS, () => {
        throw new RoleZeroError('storage-failed', `It did not answer within ${POOL_TIMEOUT_MS} ms.`);
      });
    } catch (error) {
      this.#warn(`The experience could not ${what}; continuing without it.`, error);
      return undefined;
    }
  }
}
