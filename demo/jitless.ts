import { config } from 'zod';

/** Imported before anything else: what runs here may not make code of text, and zod would try to, to find out. */
export const { jitless } = config({ jitless: true });
