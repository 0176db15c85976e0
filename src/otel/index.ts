/** OpenTelemetry spans of a session. Loads only `@opentelemetry/api`, which the application installs. */
export { traceSession } from './trace-session.js';
