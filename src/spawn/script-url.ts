/** Returns a URL for the text of a script. It is never revoked, because more workers can be made from it at any time. */
export function scriptUrl(source: string): string {
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}
