import type { Clock } from '@latchkey/core'
import type { Transfers } from '@latchkey/core/money'
import { inputError, type Network } from '@latchkey/protocol'
import { getPolkadotBalance } from '../chain/getPolkadotBalance.ts'
import type { Chain } from '../chain/requestPolkadotRpc.ts'
import type { Runtimes } from '../runtime/loadRuntime.ts'
import { estimatePolkadotFee } from './estimatePolkadotFee.ts'
import { followPolkadotTransfer } from './followPolkadotTransfer.ts'
import { inspectPolkadotReceiver } from './inspectPolkadotReceiver.ts'
import { sendPolkadotTransfer } from './sendPolkadotTransfer.ts'

/**
 * Creates the transfers of the native currency. Tokens of pallets and contracts are not supported. Outcomes are final,
 * because only finalized blocks count.
 */
export function createPolkadotTransfers(clock: Clock | undefined, runtimes: Runtimes): Transfers {
  const on = (network: Network): Chain => ({ network, clock })
  return {
    fixesFee: true,
    async readAsset(_network, address) {
      throw inputError('address/invalid', { namespace: 'polkadot', value: address })
    },
    getBalance: async (network, holder) => (await getPolkadotBalance(clock, network, holder)).value,
    estimateFee: (network, transfer) => estimatePolkadotFee(on(network), runtimes, transfer),
    inspectReceiver: (network, transfer) => inspectPolkadotReceiver(on(network), transfer),
    send: (connection, network, transfer, fee) =>
      sendPolkadotTransfer({ chain: on(network), runtimes, connection }, transfer, fee),
    follow: (network, from, sent, options) => followPolkadotTransfer(on(network), runtimes, { from, sent, options }),
  }
}
