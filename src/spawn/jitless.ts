import * as z from 'zod';

// Imported before everything else: at its first object zod tries to make code of text, which a strict Content-Security-Policy reports.
z.config({ jitless: true });
