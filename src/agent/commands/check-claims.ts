/** Compares messages to the user with what has happened since the request. */
import { RoleZeroError } from '../../core/error.js';
import { GIVE_AGAIN } from '../../core/give-again.js';
import { unconfirmedClaim } from '../prompt/claims.js';
import { fill, sections } from '../prompt/template.js';
import type { Agent } from '../runtime/agent.js';
import { factsOf } from '../runtime/facts.js';
import { mayActOutside } from './changes.js';

/** Maximum number of paths, pages, and commands that are named each. */
const MAX_NAMED = 20;

/** Returns the facts in words, for the model and for users; empty for a turn that was begun by an earlier release. */
export function factsInWords(agent: Agent): string {
  const facts = factsOf(agent);
  if (facts === null) return '';
  const { prompts } = agent.settings;
  const words = (list: readonly string[]): string => {
    const more = list.length > MAX_NAMED ? [`+${list.length - MAX_NAMED}`] : [];
    return list.length === 0 ? prompts.none : [...list.slice(0, MAX_NAMED), ...more].join(', ');
  };
  const paths = (wanted: string): string =>
    words(facts.files.filter(({ change }) => change === wanted).map(({ path }) => JSON.stringify(path)));
  return fill(prompts.facts, {
    created: paths('created'),
    changed: paths('changed'),
    removed: paths('removed'),
    pages: words(facts.pages),
    failed: words(facts.failed),
  });
}

/** Returns the sentence of a message that claims what has not happened; null for no such sentence, or when it cannot be known. */
function falseClaim(agent: Agent, message: string): string | null {
  const { request } = agent.state;
  // A member of a team reports on the work of others, and a tool that is not ours may have done anything.
  if (request === undefined || (agent.context.bus !== null && !request.isOfUser)) return null;
  if (request.ran.some((name) => mayActOutside(agent, name))) return null;
  const tests = request.ran.some((name) => agent.registry.get(name)?.hints?.tests === true);
  const paths = agent.context.workspace.changedByRoles(request.files).map(({ path }) => path);
  return unconfirmedClaim(message, { paths, tests });
}

/** The same, but only once in a turn: the model is asked about its claim, and may insist. */
export function claimToAskAbout(agent: Agent, message: string): string | null {
  const turn = agent.turn();
  const claim = turn.hasCheckedClaims === true ? null : falseClaim(agent, message);
  if (claim !== null) turn.hasCheckedClaims = true;
  return claim;
}

/** Returns a message as the user receives it: a claim that is not confirmed has the facts beside it. */
export function withFacts(agent: Agent, message: string): string {
  return falseClaim(agent, message) === null ? message : sections(message, `[${factsInWords(agent)}]`);
}

/**
 * Checks a message to the user before it is sent.
 *
 * @throws RoleZeroError `invalid`, once in a turn, when it claims what has not happened.
 */
export function checkClaims(agent: Agent, message: string): void {
  const claim = claimToAskAbout(agent, message);
  if (claim === null) return;
  throw new RoleZeroError(
    'invalid',
    `Not sent. Your message says: ${claim} This has not happened. ${factsInWords(agent)} Do it first, or say what was done; or ${GIVE_AGAIN} to send the message together with these records.`,
  );
}
