import { chooseNotes } from '../../src/notes/note-book.js';
import { readNotesOptions } from '../../src/notes/options.js';
import { oneLine, type StoredNote } from '../../src/notes/stored-note.js';
import { mean, memoryWith, recallOf } from './conversation-recall.js';
import { contentOf, type Conversation, type Turn } from './conversations.js';

/** Shares of the evidence turns in the context of a question, averaged over questions, from 0 to 1. */
interface NoteShares {
  /** Among the recalled turns. */
  turns: number;
  /** Among the turns whose whole text is in a note. */
  notes: number;
  /** In either of them. */
  both: number;
  /** Among as many turns as have the characters of both. */
  sameLength: number;
}

/** Result of the scripted note taker for one set. */
export interface NoteResult extends NoteShares {
  questions: number;
  /** Notes per conversation. */
  taken: number;
  /** Characters of the recalled turns, and of them and the notes, per question. */
  characters: { turns: number; both: number };
  categories: Record<string, { questions: number } & NoteShares>;
  /** The turns with instructions of the user, in the context of questions about other things. */
  standing: { questions: number } & NoteShares;
}

/** Number of turns that a role recalls by default. */
const RECALLED = 5;
const LIMITS = readNotesOptions({});

/**
 * Words by which the note taker recognizes what it writes down, in English, German, Spanish and French. They were chosen without the
 * questions, and are not fitted.
 */
// cspell:disable
const INSTRUCTION =
  /\b(always|never|don't|do not|please|from now on|every time|immer|nie|niemals|keine?|bitte|ab jetzt|künftig|siempre|nunca|por favor|a partir de ahora|toujours|jamais|s'il te plaît|s'il vous plaît|désormais)(?!\p{L})/iu;
const DECISION =
  /\b(decided?|we'll|let's|go with|switch|instead|agreed|entschieden|nehmen|statt|stattdessen|einigen|decidido|decidimos|vamos|en vez|mejor|décidé|on prend|plutôt|finalement)(?!\p{L})/iu;
// cspell:enable

/**
 * Takes notes of a conversation by simple rules that see the turns alone: each turn of the user with a word for an instruction or a decision,
 * up to the limit of a note, and the beginning of each session. A baseline for what a model writes.
 */
export function takeNotes(turns: readonly Turn[]): { note: StoredNote; holds: string }[] {
  const sessions = new Set<number>();
  const taken: { kind: StoredNote['kind']; text: string; holds: string }[] = [];
  for (const turn of turns) {
    const text = oneLine(contentOf(turn));
    const short = text.slice(0, LIMITS.maxCharacters);
    if (!/^assistant$/i.test(turn.speaker)) {
      const kind = INSTRUCTION.test(text) ? 'instruction' : DECISION.test(text) ? 'decision' : null;
      if (kind !== null) taken.push({ kind, text: short, holds: short === text ? turn.id : '' });
    }
    if (sessions.has(turn.session)) continue;
    sessions.add(turn.session);
    taken.push({ kind: 'summary', text: `${turn.date}: ${text.slice(0, 120)}`, holds: '' });
  }
  return taken.map(({ kind, text, holds }, number) => ({
    note: { id: `n${number}`, kind, role: 'Zero', text, createdAt: 0, by: 'agent', earlier: [], number },
    holds,
  }));
}

interface Answer extends NoteShares {
  category: string;
  characters: NoteResult['characters'];
}

/** Measures which part of the evidence is in the context of a question. Finds turns by words alone. */
export async function measureNotes(conversations: readonly Conversation[]): Promise<NoteResult> {
  const answers: Answer[] = [];
  const standing: NoteShares[] = [];
  const taken: number[] = [];
  for (const conversation of conversations) {
    const notes = takeNotes(conversation.turns);
    taken.push(notes.length);
    const memory = await memoryWith(conversation);
    const lengths = new Map(conversation.turns.map((turn) => [turn.id, contentOf(turn).length]));
    const lengthOf = (ids: readonly string[]) => ids.reduce((sum, id) => sum + (lengths.get(id) ?? 0), 0);
    const asked = conversation.questions.filter(({ evidence }) => evidence.length > 0);
    const instructions = asked.filter(({ category }) => category === 'instruction');
    for (const { question, category, evidence } of asked) {
      const all = (await memory.recallFor(question, conversation.turns.length)).map(({ id }) => id);
      const recalled = all.slice(0, RECALLED);
      const chosen = new Set(
        chooseNotes(
          notes.map(({ note }) => note),
          question,
          LIMITS,
        ).map(({ id }) => id),
      );
      const inPrompt = notes.filter(({ note }) => chosen.has(note.id));
      const held = inPrompt.map(({ holds }) => holds);
      const length = lengthOf(recalled) + inPrompt.reduce((sum, { note }) => sum + note.text.length, 0);
      let more = RECALLED;
      while (more < all.length && lengthOf(all.slice(0, more + 1)) <= length) more += 1;
      const sharesOfThese = (wanted: readonly string[]): NoteShares => ({
        turns: recallOf(wanted, new Set(recalled)),
        notes: recallOf(wanted, new Set(held)),
        both: recallOf(wanted, new Set([...recalled, ...held])),
        sameLength: recallOf(wanted, new Set(all.slice(0, more))),
      });
      const characters = { turns: lengthOf(recalled), both: length };
      answers.push({ category: String(category), ...sharesOfThese(evidence), characters });
      const rules = instructions.flatMap((other) => other.evidence);
      if (category !== 'instruction' && rules.length > 0) standing.push(sharesOfThese([...new Set(rules)]));
    }
  }
  const names = [...new Set(answers.map(({ category }) => category))].sort();
  const characters = (of: 'turns' | 'both') =>
    Math.round(mean(answers.map((answer) => answer.characters[of])));
  return {
    questions: answers.length,
    ...sharesOf(answers),
    taken: Math.round(mean(taken)),
    characters: { turns: characters('turns'), both: characters('both') },
    categories: Object.fromEntries(
      names.map((name) => {
        const some = answers.filter(({ category }) => category === name);
        return [name, { questions: some.length, ...sharesOf(some) }];
      }),
    ),
    standing: { questions: standing.length, ...sharesOf(standing) },
  };
}

function sharesOf(answers: readonly NoteShares[]): NoteShares {
  const share = (of: keyof NoteShares) => mean(answers.map((answer) => answer[of]));
  return {
    turns: share('turns'),
    notes: share('notes'),
    both: share('both'),
    sameLength: share('sameLength'),
  };
}
