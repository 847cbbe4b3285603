import { hex } from '@scure/base'
import { Address, selectUTXO, type Transaction } from '@scure/btc-signer'
import type { Network } from '@latchkey/protocol'
import { isRecord } from '../../config.ts'
import { refusals, RpcError } from '../../rpcError.ts'
import { askService, readUnspent } from './esplora.ts'
import { writing, type BitcoinAccount } from './keys.ts'

/** A `sendTransfer` request, read. */
export type TransferRequest = { to: string; value: bigint }

/** Satoshis per byte of a chain that nobody is in a hurry on. */
const feePerByte = 2n

/** @throws RpcError -32602. */
export function readTransfer(params: unknown): TransferRequest {
  const { recipientAddress, amount } = isRecord(params) ? params : {}
  const isAmount = typeof amount === 'string' && /^[1-9]\d{0,15}$/.test(amount)
  if (!isAmount) throw refusals.invalid('no amount')
  try {
    Address(writing).decode(String(recipientAddress))
  } catch {
    throw refusals.invalid('the recipient is no address of this network')
  }
  return { to: String(recipientAddress), value: BigInt(amount) }
}

/**
 * Makes the transaction of a payment; all that is left goes back to the account.
 *
 * @throws RpcError when the account has too little, or the network tells nothing.
 */
export async function composeTransfer(
  network: Network,
  { keys: [payer] }: BitcoinAccount,
  { to, value }: TransferRequest,
): Promise<Transaction> {
  const unspent = await readUnspent(network, payer.address)
  const inputs = unspent.map(({ txid, index, amount }) => {
    return { txid: hex.decode(txid), index, witnessUtxo: { script: payer.script, amount } }
  })
  const selection = selectUTXO(inputs, [{ address: to, amount: value }], 'default', {
    feePerByte,
    changeAddress: payer.address,
    network: writing,
    createTx: true,
  })
  if (selection?.tx === undefined) throw new RpcError(-32000, 'The account has less than it sends and pays.')
  return selection.tx
}

/** Signs a payment and hands it to its network; its id. */
export async function sendTransfer(
  network: Network,
  account: BitcoinAccount,
  request: TransferRequest,
): Promise<string> {
  const transaction = await composeTransfer(network, account, request)
  transaction.sign(account.keys[0].secret)
  transaction.finalize()
  return askService(network, 'tx', transaction.hex)
}
