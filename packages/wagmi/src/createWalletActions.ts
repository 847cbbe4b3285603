import type { Latchkey } from '@latchkey/core'
import { waitUntilRestored } from '@latchkey/core/internal'
import { isLatchkeyError, type ChainId } from '@latchkey/protocol'
import { SwitchChainError, UserRejectedRequestError } from 'viem'
import { requireSnapshot, toChainId } from './connectionSnapshot.ts'

/** The actions of the connector. Their errors are those that users of wagmi check for. */
export type WalletActions = {
  /** Restores a stored connection, including in an app without `LatchkeyProvider`. */
  restore(): Promise<void>
  /** Connects a wallet on this chain if possible. Opens the modal unless the connector has a wallet of its own. */
  connect(chainId: number | undefined): Promise<void>
  /** Switches the connected wallet. One that can't switch stays on its network, as with the connectors of wagmi. */
  preferChain(chainId: number | undefined): Promise<void>
  /** @throws SwitchChainError, UserRejectedRequestError */
  switchChain(chainId: number): Promise<void>
}

/** The functions of an instance that the actions need. */
export type WalletActionsOptions = {
  /** Restores stored connections. The instance shares one run with LatchkeyProvider. */
  start(): void
  /** Lets the user connect a wallet. */
  connect(): Promise<unknown>
  switchNetwork(chainId: ChainId): Promise<void>
}

/** Creates the actions of the connector for an instance. */
export function createWalletActions(
  latchkey: Pick<Latchkey, 'networks' | 'wallet'>,
  { start, connect, switchNetwork }: WalletActionsOptions,
): WalletActions {
  let isStarted = false

  async function switchChain(chainId: number): Promise<void> {
    try {
      await switchNetwork(toChainId(chainId))
    } catch (error) {
      throw isLatchkeyError(error, 'request/rejected')
        ? new UserRejectedRequestError(error)
        : new SwitchChainError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  return {
    async restore() {
      if (!isStarted) start()
      isStarted = true
      await waitUntilRestored(latchkey, 'eip155')
    },
    async connect(chainId) {
      try {
        const isOffered = latchkey.networks.some(({ caipNetworkId }) => caipNetworkId === `eip155:${chainId}`)
        if (chainId !== undefined && isOffered) await switchNetwork(toChainId(chainId))
        await connect()
      } catch (error) {
        const isDeclined = isLatchkeyError(error, 'connection/rejected') || isLatchkeyError(error, 'connection/aborted')
        throw isDeclined ? new UserRejectedRequestError(error) : error
      }
    },
    async preferChain(chainId) {
      if (chainId === undefined || chainId === requireSnapshot(latchkey).chainId) return
      await switchChain(chainId).catch((error: unknown) => {
        if (error instanceof UserRejectedRequestError) throw error
      })
    },
    switchChain,
  }
}
