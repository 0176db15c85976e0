/** In tokens. The descriptions of all commands take about 7,300: a smaller window would have no room for the work. */
export const WINDOW_FOR_ALL_COMMANDS = 14_000;
/** In tokens. From this window on the agent opens and tests pages, with a few commands. */
export const WINDOW_FOR_PAGES = 8_000;
