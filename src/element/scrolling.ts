/** In px. The log follows its end while the user is at most this far from it. */
const NEAR_END = 80;

/** Keeps the end of a log in view while the user reads it, also when a slot or the page changes its size. */
export class EndOfLog {
  /** The user has not scrolled up. */
  #isFollowed = true;
  /** The last known scroll position. */
  #top = 0;
  readonly #observer: ResizeObserver;

  constructor(private readonly log: HTMLElement) {
    this.#observer = new ResizeObserver(() => this.show());
    this.#observer.observe(log);
    for (const content of log.children) this.#observer.observe(content);
    log.addEventListener('scroll', this.#scrolled, { passive: true });
  }

  /** Scrolls to the end, unless the user reads what is above. */
  show(): void {
    this.#look();
    if (this.#isFollowed) this.follow(true);
  }

  /** Scrolls to the end and stays there, or no longer stays there. */
  follow(isFollowed: boolean): void {
    this.#isFollowed = isFollowed;
    if (isFollowed) this.log.scrollTop = this.log.scrollHeight;
    this.#top = this.log.scrollTop;
  }

  /** Returns a function that restores the place of what is shown, after something was added above it. */
  hold(): () => void {
    this.#look();
    const fromEnd = this.log.scrollHeight - this.log.scrollTop;
    return () => {
      this.log.scrollTop = this.log.scrollHeight - fromEnd;
      this.#top = this.log.scrollTop;
    };
  }

  close(): void {
    this.#observer.disconnect();
    this.log.removeEventListener('scroll', this.#scrolled);
  }

  readonly #scrolled = (): void => this.#look();

  /** Content that is added does not change the position: only the user scrolls up. */
  #look(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) this.#isFollowed = true;
    else if (scrollTop < this.#top) this.#isFollowed = false;
    this.#top = scrollTop;
  }
}
