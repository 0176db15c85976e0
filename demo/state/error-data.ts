import { RoleZeroError, type ErrorData } from 'rolezero';

/** Returns an error as plain data. `code`: that of an error which has none. */
export function errorData(error: unknown, code: ErrorData['code'] = 'internal'): ErrorData {
  return error instanceof RoleZeroError ? error.toData() : { code, message: String(error) };
}
