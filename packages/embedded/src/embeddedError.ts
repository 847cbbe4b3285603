import { createErrors, type ErrorCode, type ErrorMaker } from '@latchkey/protocol'

/** The error codes of logins. */
export type EmbeddedCode = Extract<ErrorCode, `embedded/${string}`>

/** Errors of logins, with messages for the user [R5.3.6] [R8.3.4]. */
export const embeddedError: ErrorMaker<EmbeddedCode> = createErrors<EmbeddedCode>({
  'embedded/cooldown': ({ seconds }) => `Please try again after ${seconds} seconds`,
  'embedded/failed': ({ reason }) => reason,
  'embedded/invalid-email': () => 'Enter an e-mail address, like name@example.org.',
  'embedded/popup-closed': () => 'The window was closed before the login was finished. Try again.',
  'embedded/timeout': () => 'The login did not respond in time. Try again.',
  'embedded/unreachable': ({ origin }) => `Unable to load email login dependency: ${origin} does not respond.`,
  'embedded/unsigned': ({ origin, reason }) =>
    `The wallet at ${origin} is not a signed release: ${reason}. Don’t log in there, and tell the operator of this app.`,
})
