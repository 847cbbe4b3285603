export { isLatchkeyError } from '@latchkey/protocol'
export type {
  SiweMessageArgs as SIWECreateMessageArgs,
  SiweConfig as SIWEConfig,
  SiweMessageParams as SIWEMessageArgs,
  SiweSession as SIWESession,
} from '@latchkey/core'
export {
  createSIWEConfig,
  formatMessage,
  getAddressFromMessage,
  getChainIdFromMessage,
  type SiweClient,
  type SiweClient as AppKitSIWEClient,
  type SiweClientOptions,
} from './siweClient.ts'
/** The argument of `verifyMessage`. */
export type SIWEVerifyMessageArgs = { message: string; signature: string; cacao?: unknown }
