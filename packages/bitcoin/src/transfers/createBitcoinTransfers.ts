import type { Clock } from '@latchkey/core'
import type { Transfers } from '@latchkey/core/money'
import { inputError } from '@latchkey/protocol'
import { getChainTransaction } from '../chain/chainTransaction.ts'
import { getBitcoinBalance } from '../chain/getBitcoinBalance.ts'
import { estimateBitcoinFee } from './estimateBitcoinFee.ts'
import { followBitcoinTransfer, getBitcoinFinality } from './followBitcoinTransfer.ts'
import { inspectBitcoinReceiver } from './inspectBitcoinReceiver.ts'
import { sendBitcoinTransfer, type UnsentTransactions } from './sendBitcoinTransfer.ts'

export { getBitcoinBalance } from '../chain/getBitcoinBalance.ts'
export { waitForBitcoinReceipt } from '../chain/waitForBitcoinReceipt.ts'
export { requestTransaction } from '../wallet/requestTransfer.ts'

/**
 * Creates the transfers of bitcoin. Tokens of other protocols (runes, BRC-20) are not supported.
 *
 * @param unsent the signed transactions that no node confirmed. They outlive this object.
 */
export function createBitcoinTransfers(clock: Clock | undefined, unsent: UnsentTransactions): Transfers {
  return {
    fixesFee: true,
    async readAsset(_network, address) {
      throw inputError('address/invalid', { namespace: 'bip122', value: address })
    },
    getBalance: async (network, holder) => (await getBitcoinBalance(clock, network, holder)).value,
    estimateFee: (network, transfer) => estimateBitcoinFee(clock, network, transfer),
    inspectReceiver: async (network, transfer) => inspectBitcoinReceiver(network, transfer),
    send: (connection, network, transfer, fee) =>
      sendBitcoinTransfer({ connection, network, clock, unsent }, transfer, fee),
    follow: (network, from, sent, options) =>
      followBitcoinTransfer({ clock, unsent }, network, { from, sent, options }),
    getPaidFee: async (network, hash) => (await getChainTransaction(network, hash, clock))?.fee,
    getFinality: (network, hash) => getBitcoinFinality(clock, network, hash),
  }
}
