/** Ends a refusal that holds once: the same command is then no repetition, and is run. */
export const GIVE_AGAIN = 'give the same command again';
