/**
 * Source text of the driver. This is a placeholder: the build replaces it with the bundled `driver/index.ts`. When running from source, the
 * plugin of `vite.config.ts` replaces it.
 */
export const driverSource: string = '';
