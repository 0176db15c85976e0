import { RoleZeroError } from '../base/error.js';
import type {
  ExperienceHost,
  ExperienceScore,
  PastExperience,
  RoleExperience,
  StepSituation,
} from '../base/experience.js';
import type { JsonValue } from '../base/json.js';
import { QUICK_THINK, type Message } from '../base/message.js';

/** What a role is about to ask its model, without anything that differs from session to session. */
export interface ExperienceRequest {
  tag: string;
  /** What has just been said to it. */
  messages: readonly { role: string; content: string }[];
  stateData: Readonly<Record<string, JsonValue>>;
  /** Uuids of experiences its conversation holds already: they are no news as examples. */
  known?: readonly string[];
}

/** What is known about a request. */
export interface Recollection {
  uuid: string;
  tag: string;
  /** The request as it is kept. */
  req: string;
  /** A perfect reply to this very request; null when the model has to be asked. */
  resp: string | null;
  /** Similar experiences as a text for the prompt; empty when there are none or none is needed. */
  advice: string;
}

/** What following a role takes of a pool. May reject. */
export interface StepPool {
  /** Switched on; may change at any time. */
  readonly enabled: boolean;
  /** A short name for a long text; equal for equal texts only. */
  digest(text: string): string;
  /** Null when the pool is off, or there is nothing to remember the request by. */
  recall(request: ExperienceRequest): Promise<Recollection | null>;
  /** Keeps a reply that the model gave, with what it turned out to be worth. Learning the same twice is learning it once. */
  learn(asked: Recollection, resp: string, score: ExperienceScore): Promise<void>;
  /** What an experience turned out to be worth when it was used again. Nothing happens when it is gone. */
  rate(uuid: string, score: ExperienceScore): Promise<void>;
  /** The same, for an experience that is thought better of than this. */
  lower(uuid: string, score: ExperienceScore): Promise<void>;
}

const NOTHING: PastExperience = { uuid: null, reply: null, advice: '' };

/** Characters of a message, and of each part of the state, by which a step is found again; equality is by digest. */
const SEARCHED_MESSAGE = 8_000;
const SEARCHED_PART = 1_500;
/** Milliseconds: experience that takes longer is no help. */
const PATIENCE = 5_000;
/** Steps of one requirement that are answered for when it comes to nothing. */
const MAX_STEPS = 200;

const WORKED = { val: 10, reason: 'Every command succeeded.' };
const USELESS = 1;
/** Its commands worked, the run it was part of did not get anywhere: no longer perfect, still an example. */
const LED_NOWHERE = { val: 5, reason: 'The run it was part of ended without being finished.' };

/**
 * Follows one role. A step is known by everything the role has come to know up to it, so that a reply is only given again where it was
 * given before.
 */
export class StepExperience implements RoleExperience {
  readonly #pool: StepPool;
  readonly #host: ExperienceHost;
  /** Digest of what the role remembers, in order. */
  #trail = '';
  /** The request of the step in hand. Lost in a crash: that step is then not learnt from. */
  #asked: Recollection | null = null;

  constructor(pool: StepPool, host: ExperienceHost) {
    this.#pool = pool;
    this.#host = host;
  }

  restart(messages: readonly Message[]): void {
    this.#trail = '';
    this.#asked = null;
    for (const message of messages) this.remember(message);
  }

  /** What the model only says for people differs from time to time, and is passed over. */
  remember(message: Message): void {
    const { canonical } = message.metadata;
    const talk = message.isAiMessage && message.causeBy !== QUICK_THINK && message.sentFrom === '';
    if (talk && typeof canonical !== 'string') return;
    this.#trail = this.#pool.digest(
      JSON.stringify([this.#trail, typeof canonical === 'string' ? canonical : message.content]),
    );
  }

  async recall(situation: () => StepSituation): Promise<PastExperience> {
    this.#asked = null;
    if (!this.#pool.enabled) return NOTHING;
    const found = await this.#guarded('be consulted', () => this.#pool.recall(this.#request(situation())));
    if (found === undefined || found === null) return NOTHING;
    if (found.resp === null) this.#asked = found;
    return { uuid: found.uuid, reply: found.resp, advice: found.advice };
  }

  taken({ uuid, reply }: PastExperience): void {
    const trace = this.#host.trace();
    trace.current = uuid;
    trace.reused = reply !== null;
    if (uuid !== null) trace.all = [...trace.all, uuid].slice(-MAX_STEPS);
  }

  async settle(reply: string | null, failure: string | null): Promise<void> {
    const trace = this.#host.trace();
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

  /** None of its steps may be repeated blindly. */
  async unfinished(): Promise<void> {
    for (const uuid of new Set(this.#host.trace().all)) {
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
        // Instruction, tools and everything before, in full.
        digest: this.#pool.digest(whole),
      },
      known: this.#host.trace().all,
    };
  }

  async #guarded<Value>(what: string, action: () => Promise<Value>): Promise<Value | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new RoleZeroError('storage-failed', `It did not answer within ${PATIENCE} ms.`));
      }, PATIENCE);
    });
    try {
      return await Promise.race([action(), late]);
    } catch (error) {
      this.#host.warn(`The experience could not ${what}; the work goes on without it.`, error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
