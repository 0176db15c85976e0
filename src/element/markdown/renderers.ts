/** A piece of code. `kind` becomes the class of its element, such as `tok-keyword`; empty for plain text. */
interface CodePiece {
  text: string;
  kind: string;
}

/** Shows parts of replies for which Markdown has no elements. */
export interface Renderers {
  /** Splits code in a language, as the reply names it, into pieces with colors; null for a language that it does not know. */
  highlight: (code: string, language: string) => readonly CodePiece[] | null;
  /** Returns what shows a formula in TeX, such as MathML; null for one that it cannot read, which is then shown as it was written. */
  math: (formula: string, isBlock: boolean) => Node | null;
  /**
   * Returns an SVG document that shows a diagram in the language of Mermaid. It is shown as an image, so that no script in it can run and nothing
   * is loaded. A rejection leaves the text of the diagram.
   */
  diagram: (text: string) => Promise<string>;
}

/** Words of a reply: of the button that copies code, and in place of a diagram that cannot be seen. */
export interface MarkdownWords {
  copy: string;
  copied: string;
  diagramAlt: string;
}

/** Words, and the renderers that the page has. What no renderer shows is text. */
export type MarkdownOptions = MarkdownWords & Partial<Renderers>;
