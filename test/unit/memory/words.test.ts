import { expect, test } from 'vitest';
import { isWithin, timesIn } from '../../../src/memory/ranking.js';
import { stem, termsOf } from '../../../src/memory/words.js';

test('searches a text by its significant words, without their endings', () => {
  expect(termsOf('What did Anna’s dogs paint when they were painting?')).toEqual([
    'anna',
    'dog',
    'paint',
    'paint',
  ]);
  expect(termsOf("I don't; she's running, he stopped")).toEqual(['run', 'stop']);
});

test('keeps the words of a text of stop words, and does not stem other languages', () => {
  expect(termsOf('the who')).toEqual(['the', 'who']);
  expect(termsOf('Straße 東京')).toEqual(['straß', '東京']);
  expect(termsOf('')).toEqual([]);
});

test.each([
  ['stories', 'stori'],
  ['story', 'stori'],
  ['classes', 'class'],
  ['bus', 'bus'],
  ['red', 'red'],
  ['made', 'mad'],
  ['sing', 'sing'],
])('the stem of %s is %s', (word, wanted) => {
  expect(stem(word)).toBe(wanted);
});

test.each([
  ['when did we meet on 8 May, 2023?', [{ year: 2023, month: 4, day: 8 }]],
  ['on May 8th', [{ year: null, month: 4, day: 8 }]],
  ['what happened in July 2023', [{ year: 2023, month: 6, day: null }]],
  ['what happened in July', [{ year: null, month: 6, day: null }]],
  [
    'since 2021-12-31, or in 1999',
    [
      { year: 2021, month: 11, day: 31 },
      { year: 1999, month: null, day: null },
    ],
  ],
  ['may I march to 2023 things', []],
])('"%s" names its times', (query, times) => {
  expect(timesIn(query)).toEqual(times);
});

test('a moment matches a time when all its parts match', () => {
  const moment = Date.UTC(2023, 4, 8, 23, 59);
  expect(isWithin(moment, { year: 2023, month: 4, day: 8 })).toBe(true);
  expect(isWithin(moment, { year: null, month: 4, day: null })).toBe(true);
  expect(isWithin(moment, { year: 2022, month: 4, day: 8 })).toBe(false);
});
