import type { WalletAccount } from '../services/shareStore.ts'
import type { SignRequest } from '../worker/keyHolder.ts'
import { transactionSpending } from './callSpending.ts'
import { operationSpending } from './operationSpending.ts'
import { solanaSpending } from './solanaSpending.ts'
import { nothingSpent, unknownSpending, type Spending } from './spending.ts'
import { typedDataSpending } from './typedDataSpending.ts'

/** A message of 32 bytes can be the hash of a transaction of a contract account. */
const hashLength = 32

/**
 * Returns the assets that the bytes of a request let others take. It sends no request and uses no simulation, because a
 * contract can deceive it: what it can't decode counts as unknown.
 *
 * @param known receivers of the policy
 */
export function readSpending(
  request: SignRequest,
  { accounts, known }: { accounts: readonly WalletAccount[]; known: readonly string[] },
): Spending {
  try {
    switch (request.kind) {
      case 'evm-message':
        return request.message.length === hashLength ? unknownSpending : nothingSpent
      case 'evm-typed-data':
        return request.operation === undefined
          ? typedDataSpending(request.json)
          : operationSpending(request.json, request.operation)
      case 'evm-transaction':
        return transactionSpending(request.transaction)
      case 'evm-operation':
        return unknownSpending
      case 'solana':
        return solanaSpending(
          request.bytes,
          accounts.find(({ namespace }) => namespace === 'solana')?.address ?? '',
          known,
        )
    }
  } catch {
    // Malformed requests are not signed.
    return unknownSpending
  }
}
