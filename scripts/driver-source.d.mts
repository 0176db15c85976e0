import type { Plugin } from 'vite';

export function bundleDriver(): Promise<{ text: string; moduleIds: string[] }>;
export function driverModule(text: string): string;
export function driverSourcePlugin(): Plugin;
