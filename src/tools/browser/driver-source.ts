/**
 * The driver as text. This is a stand-in: the build puts the bundled `driver/index.ts` here, and from source the plugin of
 * `vite.config.ts` does.
 */
export const driverSource: string = '';
