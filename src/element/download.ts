/** Milliseconds for which the bytes of a download stay available. */
const AVAILABLE_MS = 60_000;

/** Lets the browser download bytes as a file. */
export function downloadFile(name: string, bytes: Uint8Array): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes as BlobPart]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), AVAILABLE_MS);
}
