/** An address for a script that is there as text. Never revoked: nobody knows when the last worker was made from it. */
export function scriptUrl(source: string): string {
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}
