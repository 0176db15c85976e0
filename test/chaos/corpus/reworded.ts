import { UNREADABLE, UNREADABLE_BEFORE } from '../simulation/jobs.js';

/** Texts of earlier releases in recorded sessions, with their current wording. */
const REWORDED: readonly (readonly [before: string | RegExp, now: string])[] = [
  ['rest of this work', 'rest of this run'],
  ['A yes holds for the', 'A yes applies to the'],
  ['Refused by the person:', 'Refused by the user:'],
  [
    /failed; what you gave after it was not run \((\d+) of (\d+) commands\)/g,
    'failed; the commands after it were not run ($1 of $2)',
  ],
  [
    /without finishing; (?:nothing it changed was kept|its changes were discarded)\. Try/g,
    'without finishing. Its changes were discarded. Try',
  ],
  ['the person has got your reply.', 'the user received your reply.'],
  [
    'Nobody answered in time. Decide what is most likely wanted and go on; say what you assumed when you report.',
    'The user did not answer in time. Decide what is most likely wanted and continue; state your assumption when you report.',
  ],
  [
    'No other answer was given: the default you named holds.',
    'The user gave no other answer: your default applies.',
  ],
  ['it knows what is private', 'it has read private data'],
  ['What you noted of them:', 'Your notes on them:'],
  ['that came from elsewhere', 'from an untrusted source'],
  ['and am not done yet. Shall I go on?', 'and am not done yet. Shall I continue?'],
  ['only remembers it', 'only stores it'],
  ['lets it pass', 'ignores it'],
  ['sent it, and nobody hears their own message', 'sent it, and roles do not receive their own messages'],
  [', and answers the person directly', ', and answers the user directly'],
  // A reply of the scripted model, not a text of the library: its repair holds nothing but what the reply holds.
  [UNREADABLE_BEFORE, UNREADABLE],
  [', but is at work and comes to it next', ', but is busy and processes it next'],
];

/** Returns a recorded value with the current texts, for comparison with this release. */
export function inTodaysWords<Value>(value: Value): Value {
  const text = REWORDED.reduce((all, [before, now]) => all.replaceAll(before, now), JSON.stringify(value));
  return JSON.parse(text) as Value;
}
