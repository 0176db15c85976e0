/** Offers data to the user as a file download. */
export function offer(name: string, content: string | Uint8Array): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([typeof content === 'string' ? content : content.slice()]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
