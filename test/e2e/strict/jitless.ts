import * as z from 'zod';

/** Imported before anything else: zod would try to make code of text, to find out whether it may. */
export const { jitless } = z.config({ jitless: true });
