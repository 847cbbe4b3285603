import { base64, hex } from '@scure/base'
import { Address, OutScript, selectUTXO, Transaction } from '@scure/btc-signer'
import { RpcError } from '../rpcError.ts'
import { bitcoinNetworkOf, type BitcoinChain, type BitcoinKey } from './keys.ts'

/** The Esplora endpoint of a chain. `url` is undefined if the wallet has no endpoint for it. */
export type BitcoinSource = { url: string | undefined; chain: BitcoinChain }

/** Signs inputs of a PSBT with the keys that their addresses need. */
export function signInputs(psbt: Uint8Array, wanted: ReadonlyArray<{ key: BitcoinKey; index: number }>): Transaction {
  const transaction = Transaction.fromPSBT(psbt, { allowUnknownInputs: true, allowUnknownOutputs: true })
  for (const { key, index } of wanted) {
    try {
      transaction.signIdx(key.secret, index)
    } catch (error) {
      throw new RpcError(-32_602, error instanceof Error ? error.message : 'The input cannot be signed.')
    }
  }
  return transaction
}

/** Finalizes and broadcasts a signed transaction. Returns its id. */
export async function broadcastBitcoinTransaction({ url }: BitcoinSource, signed: Transaction): Promise<string> {
  if (url === undefined) throw new RpcError(-32_603, 'The wallet has no way to this chain.')
  if (!signed.isFinal) signed.finalize()
  const response = await fetch(`${url}/tx`, { method: 'POST', body: signed.hex })
  const text = await response.text()
  if (!response.ok) throw new RpcError(-32_603, text)
  return text
}

/** Sends a payment from one address. The change returns to the same address. */
export async function sendBitcoinTransaction(
  source: BitcoinSource,
  payer: BitcoinKey,
  recipients: ReadonlyArray<{ address: string; amount: bigint }>,
): Promise<string> {
  const unspent = (await readJson(source, `address/${payer.address}/utxo`)) as ReadonlyArray<Unspent>
  const inputs = await Promise.all(
    unspent.map(async ({ txid, vout, value }) => ({
      txid: hex.decode(txid),
      index: vout,
      ...(payer.addressType === 'p2pkh'
        ? { nonWitnessUtxo: hex.decode(await readText(source, `tx/${txid}/hex`)) }
        : { witnessUtxo: { script: payer.script, amount: BigInt(value) } }),
      ...(payer.redeemScript === undefined ? {} : { redeemScript: payer.redeemScript }),
      ...(payer.addressType === 'p2tr' ? { tapInternalKey: hex.decode(payer.publicKey) } : {}),
    })),
  )
  const network = bitcoinNetworkOf(source.chain)
  const selected = selectUTXO(inputs, outputsOf(recipients, source.chain), 'default', {
    feePerByte: 2n,
    changeAddress: payer.address,
    network,
    createTx: true,
  })
  if (selected?.tx === undefined) throw new RpcError(-32_603, 'Insufficient balance.')
  selected.tx.sign(payer.secret)
  return broadcastBitcoinTransaction(source, selected.tx)
}

/** Parses a base64 PSBT. */
export function readPsbt(value: unknown): Uint8Array {
  try {
    return base64.decode(String(value))
  } catch {
    throw new RpcError(-32_602, 'This is not a PSBT.')
  }
}

type Unspent = { txid: string; vout: number; value: number }

function outputsOf(
  recipients: ReadonlyArray<{ address: string; amount: bigint }>,
  chain: BitcoinChain,
): Array<{ script: Uint8Array; amount: bigint }> {
  try {
    return recipients.map(({ address, amount }) => ({
      script: OutScript.encode(Address(bitcoinNetworkOf(chain)).decode(address)),
      amount,
    }))
  } catch {
    throw new RpcError(-32_602, 'The recipient is not an address of this network.')
  }
}

async function readText({ url }: BitcoinSource, path: string): Promise<string> {
  if (url === undefined) throw new RpcError(-32_603, 'The wallet has no way to this chain.')
  return (await fetch(`${url}/${path}`)).text()
}

async function readJson(source: BitcoinSource, path: string): Promise<unknown> {
  return JSON.parse(await readText(source, path))
}
