import { genesisHash } from './genesis.ts'
import type { Methods } from './jsonRpc.ts'
import type { Ledger } from './ledger.ts'
import { parseAmountParameter } from './addressParameter.ts'

/** Slots of an epoch, as on the public networks. */
const epochSlots = 432_000n

/** The methods for the chain itself. */
export function chainMethods(ledger: Ledger): Methods {
  const withContext = (value: unknown): object => ({ context: { slot: ledger.slot(), apiVersion: '3.0.0' }, value })
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
    getGenesisHash: () => genesisHash,
    getIdentity: () => ({ identity: genesisHash }),
    getSlot: () => ledger.slot(),
    getBlockHeight: () => ledger.slot(),
    getTransactionCount: () => ledger.slot(),
    getEpochInfo() {
      const slot = ledger.slot()
      return {
        absoluteSlot: slot,
        blockHeight: slot,
        epoch: slot / epochSlots,
        slotIndex: slot % epochSlots,
        slotsInEpoch: epochSlots,
        transactionCount: slot,
      }
    },
    getLatestBlockhash: () => withContext(ledger.blockhashes.latest()),
    isBlockhashValid: ([blockhash]) => withContext(ledger.blockhashes.isValid(String(blockhash))),
    getBlockTime([slot]) {
      const { slot: current, unixTimestamp } = (ledger.slot(), ledger.vm.getClock())
      return unixTimestamp - ((current - parseAmountParameter(slot)) * 2n) / 5n
    },
    getMinimumBalanceForRentExemption: ([size]) => ledger.vm.minimumBalanceForRentExemption(parseAmountParameter(size)),
    getRecentPrioritizationFees: () => [{ slot: ledger.slot(), prioritizationFee: 0 }],
  }
}
