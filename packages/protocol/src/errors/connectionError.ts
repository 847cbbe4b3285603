import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of a connection to a wallet, or of the session that the wallet granted.
 *
 * @example throw connectionError('connection/rejected', { wallet: wallet.name })
 */
export const connectionError: ErrorMaker<
  'connection/aborted' | 'connection/not-connected' | 'connection/rejected' | 'connector/not-found' | 'session/invalid'
> = /* @__PURE__ */ createErrors({
  'connection/aborted': () => 'The connection was cancelled before the wallet responded. Connect again.',
  'connection/not-connected': () => 'No wallet is connected. Please call connect() before request().',
  'connection/rejected': ({ wallet }) => `The request was rejected in ${wallet}. Try again and approve it there.`,
  'connector/not-found': ({ id }) => `No connector has the id "${id}". Is the wallet still installed?`,
  'session/invalid': ({ reason }) => `The wallet sent an unusable session: ${reason}.`,
})
