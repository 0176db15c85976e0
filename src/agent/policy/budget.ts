import { checkOptions } from '../../core/check-options.js';
import { describeValue } from '../../core/describe-value.js';
import { RoleZeroError } from '../../core/error.js';
import { isRecord } from '../../core/json.js';

/** Limits of one turn, or of a whole session. Measures that are left out are not limited. */
export interface Budget {
  /**
   * US dollars, as the model reports them, or by its `price`. Where the cost is not known, the call after the first one fails with `invalid`:
   * such a budget would never be spent.
   */
  usd?: number;
  /** Prompt and completion tokens, as the model reports them; estimated where it reports none. */
  tokens?: number;
  /** Calls to the model. */
  calls?: number;
  /** Milliseconds that calls to the model take. */
  ms?: number;
}

/** @throws RoleZeroError `invalid` naming what is wrong with the option `budget`, for untyped callers. */
export function checkBudget(budget: unknown): void {
  if (!isRecord(budget))
    throw new RoleZeroError(
      'invalid',
      `\`budget\` must be an object, but is ${describeValue(budget)}. Write budget: { usd: 1, tokens: 200_000 }.`,
    );
  checkOptions('budget', budget, BUDGET_KINDS);
}

const BUDGET_KINDS = { usd: 'amount', tokens: 'amount', calls: 'amount', ms: 'amount' } as const;

/** Spending, in the measures of a budget. */
export type Spending = Required<Budget>;

/** What the user has allowed beyond a budget; plain data, stored with the session. */
export interface Grant {
  /** How many times the budget may be spent; 1 until the user allows more. */
  rounds: number;
  /** The last of these rounds in which the user was asked before its end. */
  asked: number;
}

/** A budget and its spending. */
export interface Account {
  whose: 'run' | 'session';
  budget: Budget;
  spent: Spending;
  grant: Grant;
  /** Says how to raise it. */
  advice: string;
  /** Stores the decision of the user. */
  decide(grant: Grant): void;
}

/** The question to ask about a budget before the next call. */
export interface Due {
  /** Nothing more may be spent unless the user allows it. */
  isSpent: boolean;
  question: string;
  /** The grant to store when the user wants to continue. */
  allowed: Grant;
}

export const NO_GRANT: Grant = { rounds: 1, asked: 0 };
export const NOTHING_SPENT: Spending = { usd: 0, tokens: 0, calls: 0, ms: 0 };

/** From this share on, the user is asked whether to continue. */
const ASKS_FROM = 0.8;

const AMOUNT_IN_WORDS: Record<keyof Budget, (amount: number) => string> = {
  tokens: (amount) => `${amount} tokens`,
  usd: (amount) => `$${amount.toFixed(4)}`,
  calls: (amount) => `${amount} calls`,
  ms: (amount) => `${Math.round(amount / 1000)} s`,
};
const MEASURES = Object.keys(AMOUNT_IN_WORDS) as (keyof Budget)[];

/** Returns the question that is due, or null. Checked before each call, so at most one call exceeds a budget. */
export function due({ whose, budget, spent, grant }: Account): Due | null {
  let share = -Infinity;
  for (const measure of MEASURES) {
    const limit = budget[measure];
    if (limit === undefined) continue;
    share = Math.max(share, (limit === 0 ? Infinity : spent[measure] / limit) - (grant.rounds - 1));
  }
  const isSpent = share >= 1;
  if (share < ASKS_FROM || (!isSpent && grant.asked >= grant.rounds)) return null;
  const used = MEASURES.filter((measure) => budget[measure] !== undefined).map(
    (measure) =>
      `${AMOUNT_IN_WORDS[measure](spent[measure])} of ${AMOUNT_IN_WORDS[measure]((budget[measure] ?? 0) * grant.rounds)}`,
  );
  return {
    isSpent,
    question: `${isSpent ? 'The' : `${Math.floor(share * 100)} % of the`} budget of this ${whose} is spent: ${used.join(', ')}. ${isSpent ? 'Shall I continue and spend as much again?' : 'Shall I continue?'}`,
    allowed: { rounds: grant.rounds + (isSpent ? 1 : 0), asked: grant.rounds },
  };
}

/** Returns the error of a run that may not spend more; the run can be resumed. */
export function budgetSpent({ whose, budget, spent, advice }: Account): RoleZeroError {
  const used = `${AMOUNT_IN_WORDS.tokens(spent.tokens)}, ${AMOUNT_IN_WORDS.usd(spent.usd)}`;
  return new RoleZeroError('budget', `The budget of this ${whose} is spent: ${used}. ${advice}`, {
    ...spent,
    budget,
  });
}

/** Reads a stored grant; the initial one when nothing was stored. */
export function readGrant(value: unknown): Grant {
  if (!isRecord(value)) return NO_GRANT;
  const { rounds, asked } = value;
  return typeof rounds === 'number' && typeof asked === 'number' ? { rounds, asked } : NO_GRANT;
}
