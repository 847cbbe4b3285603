import { findNetwork } from '@latchkey/adapter-kit'
import type { Clock, Connection, TransactionRequest } from '@latchkey/core'
import { parseAccountId, type AccountId, type Network, requestError } from '@latchkey/protocol'
import type { PayingWallet } from '../transfers/payWithPsbt.ts'
import { requestPayment } from '../transfers/requestPayment.ts'

/** A payment in satoshis. */
export type Transfer = { to: string; value: bigint }

/**
 * Asks the wallet to pay.
 *
 * @returns the transaction id
 * @throws LatchkeyError `request/unknown` if it was signed and no node confirmed that it received it; the errors of
 * `requestPayment`
 */
export async function requestTransfer(wallet: PayingWallet, transfer: Transfer): Promise<string> {
  const { txid, unsent } = await requestPayment(wallet, transfer)
  if (unsent !== undefined) throw requestError('request/unknown', { method: 'sendTransfer' })
  return txid
}

/** Sends a payment as the adapter's `sendTransaction`. A payment can't carry data. */
export async function requestTransaction(
  networks: readonly Network[],
  clock: Clock | undefined,
  connection: Connection,
  account: AccountId,
  { to, value = 0n, data }: TransactionRequest,
): Promise<string> {
  if (data !== undefined) throw requestError('request/not-allowed', { method: 'sendTransfer with data' })
  const network = findNetwork(networks, parseAccountId(account).chainId)
  return requestTransfer({ connection, account, network, clock }, { to, value })
}
