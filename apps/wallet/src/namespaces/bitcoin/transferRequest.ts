import { hex } from '@scure/base'
import { Address, selectUTXO, type Transaction } from '@scure/btc-signer'
import { isRecord, type Network } from '@latchkey/protocol'
import { rpcErrors, RpcError } from '../../rpcError.ts'
import { requestEsplora, listUnspentOutputs } from './requestEsplora.ts'
import { regtest, type BitcoinAccount } from './bitcoinAccount.ts'

/** A parsed `sendTransfer` request. */
export type TransferRequest = { to: string; value: bigint }

/** Fee rate in satoshis per byte. The local chain has no fee market. */
const feePerByte = 2n

/** @throws RpcError -32602 if the parameters are invalid */
export function parseTransferRequest(params: unknown): TransferRequest {
  const { recipientAddress, amount } = isRecord(params) ? params : {}
  const isAmount = typeof amount === 'string' && /^[1-9]\d{0,15}$/.test(amount)
  if (!isAmount) throw rpcErrors.invalid('amount is missing')
  try {
    Address(regtest).decode(String(recipientAddress))
  } catch {
    throw rpcErrors.invalid('the recipient is not an address of this network')
  }
  return { to: String(recipientAddress), value: BigInt(amount) }
}

/**
 * Creates the transaction of a transfer. The change goes back to the account.
 *
 * @throws RpcError if the balance is too low or the network can't be reached
 */
export async function createTransfer(
  network: Network,
  { keys: [payer] }: BitcoinAccount,
  { to, value }: TransferRequest,
): Promise<Transaction> {
  const unspent = await listUnspentOutputs(network, payer.address)
  const inputs = unspent.map(({ txid, index, amount }) => {
    return { txid: hex.decode(txid), index, witnessUtxo: { script: payer.script, amount } }
  })
  const selection = selectUTXO(inputs, [{ address: to, amount: value }], 'default', {
    feePerByte,
    changeAddress: payer.address,
    network: regtest,
    createTx: true,
  })
  if (selection?.tx === undefined)
    throw new RpcError(-32000, 'The balance is too low for the amount and the network fee.')
  return selection.tx
}

/** Signs a transfer, broadcasts it and returns its transaction id. */
export async function sendTransfer(
  network: Network,
  account: BitcoinAccount,
  request: TransferRequest,
): Promise<string> {
  const transaction = await createTransfer(network, account, request)
  transaction.sign(account.keys[0].secret)
  transaction.finalize()
  return requestEsplora(network, 'tx', transaction.hex)
}
