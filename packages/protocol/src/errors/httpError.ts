import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of an HTTP request.
 *
 * @example throw httpError('http/status', { status: response.status })
 */
export const httpError: ErrorMaker<'http/invalid-response' | 'http/status' | 'http/unreachable'> =
  /* @__PURE__ */ createErrors({
    'http/invalid-response': ({ subject }) =>
      `The server sent an invalid response about ${subject}. Is it a Latchkey server?`,
    'http/status': ({ status }) => `HTTP status code: ${status}`,
    'http/unreachable': ({ origin }) => `${origin} cannot be reached. Check the connection and try again.`,
  })
