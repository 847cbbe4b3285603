import { base64, hex } from '@scure/base'
import { Address, OutScript, selectUTXO, Transaction } from '@scure/btc-signer'
import { RpcError } from '../rpcError.ts'
import { writingOf, type BitcoinChain, type BitcoinKey } from './keys.ts'

/** Where a chain is read, and what is paid on it. */
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

/** Finishes a signed transaction and hands it to its network; the transaction's id. */
export async function broadcast({ url }: BitcoinSource, signed: Transaction): Promise<string> {
  if (url === undefined) throw new RpcError(-32_603, 'The wallet has no way to this chain.')
  if (!signed.isFinal) signed.finalize()
  const response = await fetch(`${url}/tx`, { method: 'POST', body: signed.hex })
  const text = await response.text()
  if (!response.ok) throw new RpcError(-32_603, text)
  return text
}

/** Pays from one address, whose whole rest is its change. */
export async function pay(
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
  const network = writingOf(source.chain)
  const selected = selectUTXO(inputs, outputsOf(recipients, source.chain), 'default', {
    feePerByte: 2n,
    changeAddress: payer.address,
    network,
    createTx: true,
  })
  if (selected?.tx === undefined) throw new RpcError(-32_603, 'Insufficient balance.')
  selected.tx.sign(payer.secret)
  return broadcast(source, selected.tx)
}

/** Reads a PSBT in base64. */
export function readPsbt(value: unknown): Uint8Array {
  try {
    return base64.decode(String(value))
  } catch {
    throw new RpcError(-32_602, 'This is no PSBT.')
  }
}

type Unspent = { txid: string; vout: number; value: number }

function outputsOf(
  recipients: ReadonlyArray<{ address: string; amount: bigint }>,
  chain: BitcoinChain,
): Array<{ script: Uint8Array; amount: bigint }> {
  try {
    return recipients.map(({ address, amount }) => ({
      script: OutScript.encode(Address(writingOf(chain)).decode(address)),
      amount,
    }))
  } catch {
    throw new RpcError(-32_602, 'The recipient is no address of this network.')
  }
}

async function readText({ url }: BitcoinSource, path: string): Promise<string> {
  if (url === undefined) throw new RpcError(-32_603, 'The wallet has no way to this chain.')
  return (await fetch(`${url}/${path}`)).text()
}

async function readJson(source: BitcoinSource, path: string): Promise<unknown> {
  return JSON.parse(await readText(source, path))
}
