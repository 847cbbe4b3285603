import { createErrors, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'connection/timed-out': { wallet: string; seconds: number }
    'network/unsupported': { chainId: string }
    'relay/refused': { reason: string }
    'relay/unreachable': { origin: string }
    'request/expired': { method: string }
    'session/ended': { wallet: string }
    'session/not-found': { topic: string }
  }
}

/** The error codes that only this package throws, on the way to a session and in it. */
type WalletConnectCode =
  | 'connection/timed-out'
  | 'network/unsupported'
  | 'relay/refused'
  | 'relay/unreachable'
  | 'request/expired'
  | 'session/ended'
  | 'session/not-found'

/** Creates an error with a code of this package. */
export const walletConnectError: ErrorMaker<WalletConnectCode> = /* @__PURE__ */ createErrors({
  'connection/timed-out': ({ wallet, seconds }) =>
    `${wallet} did not respond within ${seconds} seconds. Open and unlock it, then try again.`,
  'network/unsupported': ({ chainId }) => `Unsupported chain: "${chainId}". Switch to a network of this app.`,
  'relay/refused': ({ reason }) => `The relay refused the connection: ${reason}`,
  'relay/unreachable': ({ origin }) =>
    `The relay at ${origin} is unreachable, so phone wallets cannot connect. Latchkey retries automatically.`,
  'request/expired': ({ method }) => `${method} got no response in time. Check the wallet before you try again.`,
  'session/ended': ({ wallet }) => `${wallet} ended the session. Connect again.`,
  'session/not-found': ({ topic }) => `There is no session with the topic ${topic.slice(0, 6)}…. Connect again.`,
})
