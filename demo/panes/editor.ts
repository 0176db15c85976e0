import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { markdown } from '@codemirror/lang-markdown';
import { python } from '@codemirror/lang-python';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { diff, getChunks, unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, ChangeSet, Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Input of the editor; a new object for each change. */
export interface EditorFile {
  path: string;
  content: string;
  before: string | null;
  locked: boolean;
  /** Text is added at its end. */
  isGrowing?: true;
}

/** In ms, the delay after the last key press before edits are stored. */
const PAUSE = 350;

/** In pixels, the distance from the end within which the end stays in view. */
const END_MARGIN = 60;

/** Marks changes from elsewhere: they are not edits of the user, and are already stored. */
const fromElsewhere = Annotation.define<true>();

/**
 * The code editor. The user and the agent may edit the same file: changes of the agent are merged into the text that
 * the user is typing, and edits of the user are stored a moment later.
 */
export class CodeEditor {
  readonly #view: EditorView;
  readonly #merge = new Compartment();
  readonly #lock = new Compartment();
  /** No file of the session can be edited. */
  #isReadOnly = false;
  /** The stored content, if known. */
  #stored = '';
  /** Pending edits of the user. */
  #typed: ChangeSet = ChangeSet.empty(0);
  #file: EditorFile | null = null;
  #marks = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param edited Stores edits. */
  constructor(
    parent: HTMLElement,
    private readonly edited: (path: string, content: string) => void,
  ) {
    this.#view = new EditorView({ parent });
  }

  /** Shows a file, or the new content of the shown one. */
  show(file: EditorFile, label: string, marks: boolean): void {
    if (file === this.#file && marks === this.#marks) return;
    if (this.#grows(file)) this.#append(file);
    else this.#showOther(file, label, marks);
    this.#file = file;
    this.#marks = marks;
  }

  #showOther(file: EditorFile, label: string, marks: boolean): void {
    const other = file.path !== this.#file?.path || file.locked !== this.#file.locked;
    if (other || (file.locked && file !== this.#file)) this.#open(file, label, marks);
    else if (file !== this.#file) this.#follow(file, marks);
    else this.#mark(this.#file.before, marks);
  }

  /** The file has what is shown, and more at its end. */
  #grows({ path, content, isGrowing }: EditorFile): boolean {
    const isSame = this.#file?.isGrowing === true && this.#file.path === path;
    return isGrowing === true && isSame && withOneBreak(content).startsWith(this.#stored);
  }

  /** Adds the new text, and keeps the end in view, unless the user has scrolled up. */
  #append({ content }: EditorFile): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#view.scrollDOM;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < END_MARGIN;
    const from = this.#stored.length;
    this.#stored = withOneBreak(content);
    this.#view.dispatch({
      changes: { from, insert: this.#stored.slice(from) },
      annotations: fromElsewhere.of(true),
      ...(isAtEnd ? { effects: EditorView.scrollIntoView(this.#stored.length) } : {}),
    });
  }

  /** Allows editing, or not; locked files are never edited. */
  setReadOnly(isReadOnly: boolean): void {
    if (isReadOnly === this.#isReadOnly) return;
    this.#isReadOnly = isReadOnly;
    const locked = isReadOnly || this.#file?.locked === true;
    this.#view.dispatch({ effects: this.#lock.reconfigure(EditorState.readOnly.of(locked)) });
  }

  /** Stores pending edits at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#file === null || this.#typed.empty) return;
    this.#stored = this.#view.state.doc.toString();
    this.#typed = ChangeSet.empty(this.#view.state.doc.length);
    this.edited(this.#file.path, this.#stored);
  }

  destroy(): void {
    this.flush();
    this.#view.destroy();
  }

  #open(file: EditorFile, label: string, marks: boolean): void {
    this.flush();
    // The agent has stored the file that was shown while it was written.
    const isStoredNow = this.#file?.isGrowing === true && this.#file.path === file.path;
    const isSame = isStoredNow && withOneBreak(file.content) === this.#stored;
    const place = isSame ? this.#view.scrollSnapshot() : null;
    this.#stored = file.content;
    this.#view.setState(
      EditorState.create({
        doc: file.content,
        extensions: [
          common,
          languageOf(file.path),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          this.#lock.of(EditorState.readOnly.of(file.locked || this.#isReadOnly)),
          EditorView.updateListener.of(({ changes, docChanged, transactions }) => {
            if (!docChanged || transactions.some((one) => one.annotation(fromElsewhere))) return;
            this.#typed = this.#typed.compose(changes);
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.flush(), PAUSE);
          }),
          this.#merge.of(marksOf(file.before, marks)),
        ],
      }),
    );
    // Lengths refer to the editor's text, which has one kind of line break.
    this.#typed = ChangeSet.empty(this.#view.state.doc.length);
    this.#stored = this.#view.state.doc.toString();
    if (place !== null) this.#view.dispatch({ effects: place });
    if (file.isGrowing === true)
      this.#view.dispatch({ effects: EditorView.scrollIntoView(this.#stored.length) });
    const change = file.locked ? getChunks(this.#view.state)?.chunks[0] : undefined;
    if (change !== undefined)
      this.#view.dispatch({
        effects: EditorView.scrollIntoView(Math.min(change.fromB, this.#stored.length), { y: 'center' }),
      });
  }

  /** Merges changes from elsewhere into the text of the user. */
  #follow(file: EditorFile, marks: boolean): void {
    const content = file.content.replaceAll('\r\n', '\n');
    if (content !== this.#stored) {
      const before = this.#view.state.doc.toString();
      const changes = ChangeSet.of(
        diff(this.#stored, content).map(({ fromA, toA, fromB, toB }) => ({
          from: fromA,
          to: toA,
          insert: content.slice(fromB, toB),
        })),
        this.#stored.length,
      );
      const moved = changes.map(this.#typed);
      this.#typed = this.#typed.map(changes, true);
      this.#stored = content;
      this.#view.dispatch({
        changes: moved,
        annotations: fromElsewhere.of(true),
        effects: this.#merge.reconfigure(marksOf(before, marks)),
        ...(moved.empty ? {} : { selection: this.#view.state.selection.map(moved), scrollIntoView: false }),
      });
      const [first] = rangesOf(moved);
      if (first !== undefined && !this.#view.hasFocus)
        this.#view.dispatch({ effects: EditorView.scrollIntoView(first, { y: 'center' }) });
    }
  }

  #mark(before: string | null, marks: boolean): void {
    this.#view.dispatch({ effects: this.#merge.reconfigure(marksOf(before, marks)) });
  }
}

/** Returns a text with the only kind of line break that the editor counts. */
function withOneBreak(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Start positions of changes in the new text. */
function rangesOf(changes: ChangeSet): number[] {
  const found: number[] = [];
  changes.iterChangedRanges((_fromA, _toA, fromB) => found.push(fromB));
  return found;
}

function marksOf(before: string | null, marks: boolean): Extension {
  if (!marks || before === null) return [];
  return unifiedMergeView({
    original: before,
    mergeControls: false,
    gutter: true,
    highlightChanges: false,
    syntaxHighlightDeletions: false,
  });
}

function languageOf(path: string): Extension {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  switch (ending) {
    case 'html':
    case 'htm':
    case 'svg':
    case 'xml':
      return html();
    case 'css':
      return css();
    case 'js':
    case 'mjs':
    case 'cjs':
      return javascript();
    case 'jsx':
      return javascript({ jsx: true });
    case 'ts':
    case 'mts':
      return javascript({ typescript: true });
    case 'tsx':
      return javascript({ typescript: true, jsx: true });
    case 'json':
    case 'webmanifest':
      return json();
    case 'md':
    case 'markdown':
      return markdown();
    case 'py':
      return python();
    default:
      return [];
  }
}

/** Syntax colors. The style sheet defines them for light and dark. */
const highlight = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], class: 'tok-comment' },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], class: 'tok-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue], class: 'tok-string' },
  { tag: [tags.number, tags.bool, tags.atom, tags.color, tags.unit], class: 'tok-number' },
  { tag: [tags.tagName, tags.typeName, tags.className], class: 'tok-type' },
  { tag: [tags.propertyName, tags.attributeName, tags.definition(tags.variableName)], class: 'tok-name' },
  { tag: [tags.heading, tags.strong], class: 'tok-strong' },
  { tag: [tags.link, tags.url], class: 'tok-string' },
]);

const common: Extension = [
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  syntaxHighlighting(highlight),
  EditorView.lineWrapping,
  // Tab indents; Escape and then Tab leaves the editor, as its manual says.
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
];
