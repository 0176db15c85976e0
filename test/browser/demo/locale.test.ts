import { afterEach, expect, it, vi } from 'vitest';
import { locale } from '../../../demo/text/index.js';

const { lang } = document.documentElement;
afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.lang = lang;
});

it('times are written in the user’s variant of the shown language', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr', 'en-GB', 'zh-TW']);
  const used = (shown: string) => {
    document.documentElement.lang = shown;
    return locale();
  };
  expect(['en', 'zh-CN', 'de'].map(used)).toEqual(['en-GB', 'zh-TW', 'de']);
  document.documentElement.lang = 'en';
  expect(new Date(2026, 0, 1, 20, 13).toLocaleString(locale(), { timeStyle: 'short' })).toBe('20:13');
});
