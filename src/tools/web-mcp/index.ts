export { webMcp } from './web-mcp.js';
