/** Returns where the focus can go when a button is removed: the button, others in its row, the next row, its region. */
export function placesAround(button: HTMLElement): readonly HTMLElement[] {
  const row = button.closest('li');
  const rows = [row, row?.nextElementSibling ?? null, row?.previousElementSibling ?? null];
  const inRows = rows.flatMap((each) => [...(each?.querySelectorAll('button') ?? [])].reverse());
  const region = button.closest('dialog, [role="tabpanel"], .pane');
  return [
    button,
    ...inRows,
    ...(region?.querySelectorAll<HTMLElement>('.new, .search, summary, .away') ?? []),
  ];
}

/** Moves the focus to the first place that is still shown, unless it is somewhere. */
export function focusFirst(places: readonly HTMLElement[]): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  places.find((place) => place.isConnected && place.checkVisibility())?.focus();
}
