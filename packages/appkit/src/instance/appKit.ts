import type { Latchkey } from '@latchkey/core'
import type { AppKitContext } from './appKitContext.ts'
import type { AccountMethods } from './createAccountMethods.ts'
import type { ConnectionMethods } from './createConnectionMethods.ts'
import type { ModalMethods } from './createModalMethods.ts'
import type { NetworkMethods } from './createNetworkMethods.ts'
import type { OptionMethods } from './createOptionMethods.ts'
import type { StateMethods } from './createStateMethods.ts'

/** An instance, as `createAppKit` returns it. */
export type AppKit = ModalMethods &
  AccountMethods &
  NetworkMethods &
  ConnectionMethods &
  OptionMethods &
  StateMethods & {
    /** The instance of Latchkey, for the actions of `@latchkey/core`. */
    readonly latchkey: Latchkey
    /** @internal The state that the elements and hooks of this package follow. */
    readonly context: AppKitContext
    /** Removes the modal and the elements' contents from the page, and stops following wallets. Connections stay. */
    destroy(): void
  }
