/** Memories or notes that were recalled for the next message to the model. */
export interface Recalled {
  /** Returns the section for the prompt; empty when there is nothing new. `fresh`: the prompt has lost the earlier one. */
  text(fresh: boolean): string;
  /** Called when the model has received it; changes state that is committed with the reply. */
  markSent(): void;
}
