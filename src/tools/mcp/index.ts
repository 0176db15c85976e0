export { mcp } from './mcp.js';
