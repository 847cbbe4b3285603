import { createErrors, type ErrorMaker, type WalletConnectCode } from '@latchkey/protocol'

/** Makes an error that only this package has. */
export const walletConnectError: ErrorMaker<WalletConnectCode> = /* @__PURE__ */ createErrors({
  'client/closed': () => 'Sign Client not initialized: it was closed. Make a new one.',
  'connection/timed-out': ({ wallet, seconds }) =>
    `${wallet} did not answer within ${seconds} seconds. Open it, unlock it, and try again.`,
  'namespace/not-configured': ({ namespace }) =>
    `Namespace ${namespace} is not configured. Please call connect() first with namespace config.`,
  'network/unsupported': ({ chainId }) => `Unsupported chain: "${chainId}". Switch to a network of this app.`,
  'pairing/expired': () => 'This pairing link has expired. Make a new one and scan it within four minutes.',
  'pairing/invalid': ({ reason }) => `This is not a pairing link that can be used: ${reason}.`,
  'relay/refused': ({ reason }) => `The relay refused the connection: ${reason}`,
  'relay/unreachable': ({ origin }) =>
    `The relay at ${origin} cannot be reached, so phone wallets cannot connect. It is tried again by itself.`,
  'request/expired': ({ method }) => `${method} was not answered in time. Look in the wallet before asking again.`,
  'rpc/failed': ({ network, method, code, reason }) =>
    `${network} could not do ${method}${code === undefined ? '' : ` (code ${code})`}: ${reason}`,
  'session/ended': ({ wallet }) => `${wallet} ended the session. Connect again.`,
  'session/not-found': ({ topic }) => `There is no session with the topic ${topic.slice(0, 6)}…. Connect again.`,
})
