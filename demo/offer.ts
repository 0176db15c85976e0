/** In ms, the time in which browsers begin a download. */
const UNTIL_READ = 60_000;

/** Offers data to the user as a file download. */
export function offer(name: string, content: string | Uint8Array): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([typeof content === 'string' ? content : content.slice()]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), UNTIL_READ);
}

/** A title as the name of a file on any system. */
export function fileNameOf(title: string): string {
  return title
    .replaceAll(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[.\s]+/, '')
    .trim()
    .slice(0, 80);
}
