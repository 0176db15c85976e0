/** A recently opened or changed file. */
export interface FileTab {
  path: string;
  /** It has changed since the user last looked at it. */
  isUnseen: boolean;
}

/** Maximum number of tabs. A new one replaces the oldest without an unseen change, otherwise the oldest. */
const MAX_FILE_TABS = 12;

/** Adds a tab, or updates it. `shown`: the path in the editor, which keeps its tab. */
export function withTab(tabs: readonly FileTab[], tab: FileTab, shown: string | null): readonly FileTab[] {
  if (tabs.some(({ path }) => path === tab.path))
    return tabs.map((each) => (each.path === tab.path ? tab : each));
  const room = tabs.length < MAX_FILE_TABS ? tabs : withoutTab(tabs, replaceable(tabs, shown));
  return [...room, tab];
}

export function withoutTab(tabs: readonly FileTab[], path: string | undefined): readonly FileTab[] {
  return tabs.filter((tab) => tab.path !== path);
}

/** Returns the path of the next tab, otherwise of the previous one; null for the only tab. */
export function besideTab(tabs: readonly FileTab[], path: string): string | null {
  const at = tabs.findIndex((tab) => tab.path === path);
  return (tabs[at + 1] ?? tabs[at - 1])?.path ?? null;
}

/** Returns the name of a file, with its folder if another tab has the same name. */
export function tabName(tabs: readonly FileTab[], path: string): string {
  const name = lastParts(path, 1);
  const isShared = tabs.some((tab) => tab.path !== path && lastParts(tab.path, 1) === name);
  return isShared ? lastParts(path, 2) : name;
}

function replaceable(tabs: readonly FileTab[], shown: string | null): string | undefined {
  const others = tabs.filter(({ path }) => path !== shown);
  return (others.find(({ isUnseen }) => !isUnseen) ?? others[0])?.path;
}

function lastParts(path: string, count: number): string {
  return path.split('/').slice(-count).join('/');
}
