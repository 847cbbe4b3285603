import type { Adapter } from '@latchkey/core'
import type { Transfers } from '@latchkey/core/money'
import { parseEvmAddress } from './address/parseEvmAddress.ts'
import type { EvmClients } from './chain/evmClients.ts'
import { getEvmBalance } from './chain/getEvmBalance.ts'
import { sendEvmTransaction } from './wallet/sendEvmTransaction.ts'
import { signEvmMessage } from './wallet/signEvmMessage.ts'
import { switchEvmNetwork } from './wallet/switchEvmNetwork.ts'
import type { EvmChain } from './chain/evmChain.ts'

/** The methods of the adapter that need more code than the connect button. */
export type EvmActions = Required<
  Pick<
    Adapter,
    | 'approvals'
    | 'getBalance'
    | 'sendTransaction'
    | 'signInAddress'
    | 'signMessage'
    | 'smartContracts'
    | 'switchNetwork'
    | 'transfers'
    | 'verifyMessage'
    | 'waitForReceipt'
    | 'walletCalls'
  >
>

/**
 * Creates the actions of one adapter. They are one chunk, because the first chunk of an app names every chunk that it can
 * load. Large and rare actions load chunks of their own.
 */
export function createEvmActions(clients: EvmClients, chains: readonly [EvmChain, ...EvmChain[]]): EvmActions {
  // Created once, because it remembers the plan behind each fee that it estimated.
  let transfers: Transfers | undefined
  return {
    async approvals() {
      const { createEvmApprovals } = await import('./approvals/createEvmApprovals.ts')
      return createEvmApprovals(clients)
    },
    signInAddress: async (address) => parseEvmAddress(address),
    getBalance: (...args) => getEvmBalance(clients, ...args),
    signMessage: signEvmMessage,
    verifyMessage: async (...args) => (await import('./chain/verifyEvmMessage.ts')).verifyEvmMessage(clients, ...args),
    sendTransaction: sendEvmTransaction,
    waitForReceipt: async (...args) =>
      (await import('./chain/waitForEvmReceipt.ts')).waitForEvmReceipt(clients, ...args),
    switchNetwork: switchEvmNetwork,
    async smartContracts() {
      const { createSmartContracts } = await import('./contracts/createSmartContracts.ts')
      return createSmartContracts(clients, chains)
    },
    async transfers() {
      const { createEvmTransfers } = await import('./transfers/createEvmTransfers.ts')
      return (transfers ??= createEvmTransfers(clients, chains))
    },
    walletCalls: async () => (await import('./calls/walletCalls.ts')).walletCalls,
  }
}
