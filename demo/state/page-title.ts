/** Returns the title of a page; undefined without one. */
export function pageTitle(html: string): string | undefined {
  return /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim() || undefined;
}
