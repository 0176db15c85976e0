'use client';

export { App as default } from '../src/App';
