/** Code samples of documents: see `documented-code.ts`. */
declare module 'documented:*';
