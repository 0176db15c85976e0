import { describe, expect, it } from 'vitest';
import { detectLanguage } from '../../../../src/agent/prompt/language.js';
import { requestCategory } from '../../../../src/agent/prompt/request-category.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';
import { search } from '../../../../src/tools/search/index.js';
import { REQUESTS, type LabelledRequest } from '../../../corpus/requests.js';

/** Counts how often a judge decides about the requests, and how often it matches the annotator. */
function measured(
  requests: readonly LabelledRequest[],
  judge: (request: LabelledRequest) => { answers: string | null; meant: string },
): { answers: number; agreed: number; wrong: string[] } {
  const wrong: string[] = [];
  let answers = 0;
  for (const request of requests) {
    const verdict = judge(request);
    if (verdict.answers === null) continue;
    answers += 1;
    if (verdict.answers !== verdict.meant) wrong.push(`${verdict.answers}: ${request.text}`);
  }
  return { answers: answers / requests.length, agreed: 1 - wrong.length / answers, wrong };
}

const unseen = REQUESTS.filter(({ split }) => split === 'test');
const seen = REQUESTS.filter(({ split }) => split === 'tune');
/** Only the model can say what a vague request lacks. */
const isClear = ({ category }: LabelledRequest) => category !== 'AMBIGUOUS';
const byRule = ({ text, category }: LabelledRequest) => ({ answers: requestCategory(text), meant: category });
const byLanguage = ({ text, language }: LabelledRequest) => ({
  answers: detectLanguage(text),
  meant: language,
});

describe('request categories by rules (R-246)', () => {
  it('has a labelled set of five languages and four categories without duplicates', () => {
    expect(REQUESTS.length).toBeGreaterThanOrEqual(400);
    expect(new Set(REQUESTS.map(({ text }) => text)).size).toBe(REQUESTS.length);
    expect(unseen.length).toBeGreaterThanOrEqual(90);
    expect(new Set(unseen.map(({ language }) => language)).size).toBe(5);
    expect(new Set(unseen.map(({ category }) => category)).size).toBe(4);
  });

  it('matches the annotator on at least nine of ten unseen requests, where it decides', () => {
    expect(measured(unseen.filter(isClear), byRule).answers).toBeGreaterThanOrEqual(0.5);
    expect(measured(unseen, byRule).agreed).toBeGreaterThanOrEqual(0.9);
  });

  it('matches the annotator on the known requests and on all, and takes no work for a question', () => {
    expect(measured(REQUESTS, byRule).agreed).toBeGreaterThanOrEqual(0.95);
    const work = REQUESTS.filter(({ category }) => category === 'TASK');
    expect(work.filter(({ text }) => requestCategory(text) === 'QUICK')).toEqual([]);
    expect(measured(seen.filter(isClear), byRule).answers).toBeGreaterThanOrEqual(0.9);
    expect(measured(seen, byRule).agreed).toBeGreaterThanOrEqual(0.95);
  });

  it('leaves vague requests to the model', () => {
    const vague = REQUESTS.filter((request) => !isClear(request));
    expect(measured(vague, byRule).answers).toBeLessThan(0.1);
  });

  it.each([
    ['What is in /notes/today.md?', 'TASK'],
    ['How do I read a file in Python?', 'QUICK'],
    ['Build a website for my bakery', 'TASK'],
    ['Explain how you would design an online game', 'QUICK'],
    ['Find the newest papers about agents', 'SEARCH'],
    ['Summarize the document', null],
    ['', null],
    ['Hi', 'QUICK'],
    ['hello!', 'QUICK'],
    ['What is new about tides?', null],
    ['please do it', null],
    ['Make the work a bit more like the first one was', null],
  ])('%s: %s', (text, category) => {
    expect(requestCategory(text)).toBe(category);
  });

  it.each([
    'Who is the CEO of OpenAI?',
    'What is the price of bitcoin?',
    'Who is the current president of France?',
    'When is the next solar eclipse?',
    'Is the Berlin airport open?',
    'Who won the 2026 world cup?',
    'Wer ist Bundeskanzler?',
    '¿Quién ganó la final?',
    '谁是法国总统？',
  ])('a role that can search lets the model decide about %s', (request) => {
    expect(requestCategory(request, true)).not.toBe('QUICK');
    expect(requestCategory(request)).toBe('QUICK');
  });

  it.each([
    'Hi',
    'How do I read a file in Python?',
    'What is a monad?',
    'What is the difference between a list and a tuple?',
    'Tell me a joke',
  ])('a role that can search still answers %s at once', (request) => {
    expect(requestCategory(request, true)).toBe('QUICK');
  });

  it('is fast on adversarial texts', () => {
    const hostile = ['你好', 'error ', 'hi ', '翻译一下看好', 'the ', '/', 'a/', '帮我', '"', 'a) b) '];
    for (const piece of hostile) {
      for (const times of [3, 20, 39, 40, 100_000]) {
        for (const text of [piece.repeat(times), `${piece.repeat(times)}§`]) {
          expect(['QUICK', 'SEARCH', 'TASK', null]).toContain(requestCategory(text));
          expect(detectLanguage(text) === null || detectLanguage(text) !== '').toBe(true);
        }
      }
    }
  });
});

describe('a question about the changing world', () => {
  const questions = [
    'Who is the CEO of OpenAI?',
    'What is the price of bitcoin?',
    'Who is the current president of France?',
    'When is the next solar eclipse?',
    'Is the Berlin airport open?',
    'Who won the 2026 world cup?',
  ];

  it.each(questions)('is for the model when it can search: %s', (question) => {
    expect(requestCategory(question)).not.toBeNull();
    expect(['SEARCH', null]).toContain(requestCategory(question, true));
  });

  it('is answered with a search, not from memory', async () => {
    const searching = commands(['SearchEnhancedQA.run', { query: 'CEO of OpenAI' }]);
    const end = commands(['RoleZero.reply_to_human', { content: 'Ann.' }], ['end', {}]);
    const model = scriptedModel({ think: [searching, end], 'search-answer': 'Ann.' });
    const page = { link: 'https://example.org', title: 'News', snippet: 'Ann.' };
    const engine = { name: 'mine', search: async () => [page] };
    const role = new RoleZero({ model, tools: search({ engine, read: async () => 'Ann.' }) });
    const { events } = await runRole(role, 'Who is the CEO of OpenAI?');
    const run = events.flatMap((event) => (event.type === 'command-end' ? event.name : []));
    expect(run[0]).toBe('SearchEnhancedQA.run');
    expect(model.requests.map(({ purpose }) => purpose)).not.toContain('quick');
  });

  it.each(['Hello!', 'Thank you', 'Translate "good morning" into French'])('is not %s', (text) => {
    expect(requestCategory(text, true)).toBe('QUICK');
  });
});

describe('the language of a text', () => {
  it('is right on every labelled request it decides, and decides most', () => {
    const { answers, wrong } = measured(REQUESTS, byLanguage);
    expect(wrong).toEqual([]);
    expect(answers).toBeGreaterThanOrEqual(0.8);
  });

  it.each([
    ['Peux-tu écrire une page avec un bouton pour la liste ?', 'French'],
    ['Puoi fare una pagina con le foto della mia bottega?', 'Italian'],
    ['Você pode fazer uma página para a minha loja?', 'Portuguese'],
    ['Kun je een pagina maken voor mijn winkel, met een knop?', 'Dutch'],
    ['Czy możesz zrobić stronę dla mojego sklepu, proszę?', 'Polish'],
    ['Сделай страницу для моей булочной', 'Russian'],
    ['Зроби сторінку для моєї пекарні', 'Ukrainian'],
    ['ブログのページを作ってください', 'Japanese'],
    ['블로그 페이지를 만들어 주세요', 'Korean'],
    ['اكتب صفحة لمخبزي من فضلك', 'Arabic'],
    ['ok', null],
    ['const x = await fetch("/api")', null],
    ['Fix `der die das und ist` in https://example.com/der/die/das please, the page is broken', 'English'],
  ])('%s: %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});
