/** Returns the item that a key moves to from the one at a place, as the ARIA patterns of tabs and toolbars require; undefined for other keys. */
export function reachedBy<Item>(key: string, items: readonly Item[], at: number): Item | undefined {
  const reached: Readonly<Record<string, Item | undefined>> = {
    ArrowRight: items[(at + 1) % items.length],
    ArrowLeft: items.at(at - 1),
    Home: items[0],
    End: items.at(-1),
  };
  return reached[key];
}
