import type { Plugin } from 'vite';

export function precachePlugin(): Plugin;
