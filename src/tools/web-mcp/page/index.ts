export { registerWebMcp } from './register-web-mcp.js';
export { webMcpTools } from './web-mcp-tools.js';
