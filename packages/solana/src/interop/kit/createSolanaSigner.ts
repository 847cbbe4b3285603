import type { Latchkey } from '@latchkey/core'
import { parseAccountId } from '@latchkey/protocol'
import type { Address, MessagePartialSigner, TransactionModifyingSigner, TransactionSendingSigner } from '@solana/kit'
import { parseSendOptions, type SendOptions } from '../../actions/sendOptions.ts'
import { createClients } from '../createClients.ts'
import { requireSharedAccount } from '../requireSharedAccount.ts'

/** A connected account as a signer of `@solana/kit`. */
export type SolanaSigner = TransactionModifyingSigner & TransactionSendingSigner & MessagePartialSigner

export type SolanaSignerOptions = {
  /** One of the accounts that the connected wallets share; the selected one by default. */
  address?: string
  /** The options with which transactions are sent. */
  sendOptions?: SendOptions
}

/**
 * Creates a signer for `@solana/kit` from a connected account. It signs and sends transactions and signs messages with the wallet
 * that shares the account, however it is connected. Create one signer per account: kit rejects a transaction that has two signers
 * with the same address.
 *
 * - The signer stays with its account: it does not follow the user to another one.
 * - Every signature is verified. The wallet may change a transaction before it signs, for example to raise the fee, unless others
 *   have signed it.
 * - Several transactions are signed with one approval, and sent one after the other.
 *
 * @param latchkey the instance, with a connected Solana wallet
 * @returns a signer that modifies and signs transactions, sends them, and signs messages
 * @throws LatchkeyError `connection/not-connected`, `account/not-found` if no wallet shares the address, `config/invalid`. Its
 *   methods throw the same two if the wallet has disconnected or no longer shares the account, and `request/rejected`,
 *   `request/failed`, `request/unknown`, `wallet/invalid-response`; sending also `transaction/reverted` and `rpc/unreachable`. A
 *   method whose `abortSignal` is aborted rejects with the reason of the signal.
 * @example const signer = createSolanaSigner(latchkey)
 */
export function createSolanaSigner(
  latchkey: Latchkey,
  { address, sendOptions = {} }: SolanaSignerOptions = {},
): SolanaSigner {
  const { account } = requireSharedAccount(latchkey, address)
  const options = parseSendOptions(sendOptions)
  const { wallet } = latchkey
  const signer = { wallet, clients: createClients(latchkey), address: parseAccountId(account).address }
  const loadMethods = () => import('./modifyAndSignTransactions.ts')
  return Object.freeze({
    // The brand of kit. Connectors accept only valid addresses.
    address: signer.address as Address,
    modifyAndSignTransactions: async (transactions, config) =>
      (await loadMethods()).modifyAndSignTransactions(signer, transactions, config),
    signAndSendTransactions: async (transactions, config) =>
      (await loadMethods()).signAndSendTransactions(signer, options, transactions, config),
    signMessages: async (messages, config) => (await loadMethods()).signMessages(signer, messages, config),
  } satisfies SolanaSigner)
}
