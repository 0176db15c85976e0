import { describe, expect, it } from 'vitest';
import { besideTab, tabName, withoutTab, withTab, type FileTab } from '../../../demo/state/file-tabs.js';

const tab = (path: string, isUnseen = false): FileTab => ({ path, isUnseen });
const tabs = (...paths: string[]) => paths.map((path) => tab(path));

describe('the tabs of files', () => {
  it('are added at the end, and updated in place', () => {
    expect(withTab(tabs('/a', '/b'), tab('/c', true), null)).toEqual([tab('/a'), tab('/b'), tab('/c', true)]);
    expect(withTab(tabs('/a', '/b'), tab('/a', true), null)).toEqual([tab('/a', true), tab('/b')]);
  });

  it('are limited: a new one replaces the oldest, but neither the shown one nor an unseen change', () => {
    const full = Array.from({ length: 12 }, (_, index) => tab(`/${index}`, index === 1));
    const paths = (list: readonly FileTab[]) => list.map(({ path }) => path);
    const added = withTab(full, tab('/new'), '/0');
    expect(paths(added)).toEqual(['/0', '/1', ...paths(full.slice(3)), '/new']);
    const unseen = full.map(({ path }) => tab(path, true));
    expect(paths(withTab(unseen, tab('/new'), '/0'))).toEqual(['/0', ...paths(full.slice(2)), '/new']);
  });

  it('are followed by the next one when they are closed, otherwise by the previous one', () => {
    expect(besideTab(tabs('/a', '/b', '/c'), '/b')).toBe('/c');
    expect(besideTab(tabs('/a', '/b', '/c'), '/c')).toBe('/b');
    expect(besideTab(tabs('/a'), '/a')).toBeNull();
    expect(withoutTab(tabs('/a', '/b'), '/a')).toEqual(tabs('/b'));
  });

  it('name the folder only if two files have the same name', () => {
    expect(tabName(tabs('/a/index.html', '/style.css'), '/a/index.html')).toBe('index.html');
    expect(tabName(tabs('/a/index.html', '/b/index.html'), '/a/index.html')).toBe('a/index.html');
  });
});
