import { expect, it } from 'vitest';
import { withScheme } from '../../../demo/state/servers.js';

it.each([
  ['localhost:11434', 'http://localhost:11434'],
  ['localhost', 'http://localhost'],
  ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['192.168.1.4', 'http://192.168.1.4'],
  ['[::1]:1234', 'http://[::1]:1234'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
  ['localhost.example.com', 'https://localhost.example.com'],
  [' https://api.example.com ', 'https://api.example.com'],
  ['http://localhost:1234', 'http://localhost:1234'],
  ['', ''],
])('completes the address %j to %j', (address, completed) => {
  expect(withScheme(address)).toBe(completed);
});
