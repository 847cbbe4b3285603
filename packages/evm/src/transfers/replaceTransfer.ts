import type { Connection } from '@latchkey/core'
import type { Sent } from '@latchkey/core/money'
import { createErrors, isLatchkeyError, parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import { isHash, isHex, numberToHex, parseTransaction, recoverTransactionAddress, type Client, type Hex } from 'viem'
import { sendTransaction } from '../sendTransaction.ts'
import { hexChainId } from '../networks.ts'
import { isFrom, isSame, readListed, wordsOf, type Listed } from './findSent.ts'
import { readPrice, readQuantity, writePrice, type Price } from './plan.ts'

const replaceError = createErrors({
  'transaction/not-replaceable': ({ hash }) =>
    `The transaction ${hash} cannot be replaced from here. It may be mined by now; the wallet itself may still be able to.`,
})

/** Nodes want a tenth more than before; an eighth is what most wallets give. */
const raise = { of: 9n, per: 8n } as const

type Pending = Listed & { price: Price; gas: bigint }
type Question = { network: Network; from: AccountId; sent: Sent }

/**
 * Cancels a transaction: one to oneself, of nothing, takes its number at a higher price. A wallet that chooses a number of
 * its own does no harm with it.
 *
 * @throws LatchkeyError `transaction/not-replaceable`, `request/rejected`.
 */
export async function cancelTransfer(connection: Connection, reader: Client, question: Question): Promise<Sent> {
  const { from } = question
  const pending = await requirePending(reader, question)
  const fixed = { nonce: numberToHex(pending.nonce), gas: numberToHex(21_000n), ...writePrice(pending.price) }
  const request = { to: parseAccountId(from).address, value: 0n, data: undefined }
  return { hash: await sendTransaction(connection, from, request, fixed), nonce: pending.nonce }
}

/**
 * Sends a transaction once more with the same number and a higher price. The wallet is asked to sign only: what it signed
 * is sent when it has that very number, because with another one it would be a second payment. Most extensions sign
 * nothing that they do not send; they have a button of their own for this.
 *
 * @throws LatchkeyError `transaction/not-replaceable`, `request/rejected`.
 */
export async function repriceTransfer(connection: Connection, reader: Client, question: Question): Promise<Sent> {
  const { from, sent, network } = question
  const pending = await requirePending(reader, question)
  const { address } = parseAccountId(from)
  const transaction = {
    from: address,
    to: pending.to,
    value: numberToHex(pending.value),
    data: pending.input,
    nonce: numberToHex(pending.nonce),
    gas: numberToHex(pending.gas),
    chainId: hexChainId(network.caipNetworkId),
    ...writePrice(pending.price),
  }
  const answer = await connection.provider
    .request({ method: 'eth_signTransaction', params: [transaction] })
    .catch((error: unknown) => {
      if (isLatchkeyError(error, 'request/rejected')) throw error
      throw replaceError('transaction/not-replaceable', { hash: sent.hash }, { cause: error })
    })
  const raw = isHex(answer) ? answer : Object(answer).raw
  if (!isHex(raw) || !(await isTheSame(raw, pending, address))) {
    throw replaceError('transaction/not-replaceable', { hash: sent.hash })
  }
  const hash = await reader.request({ method: 'eth_sendRawTransaction', params: [raw] }).catch((error: unknown) => {
    throw replaceError('transaction/not-replaceable', { hash: sent.hash }, { cause: error })
  })
  return { hash, nonce: pending.nonce }
}

/** Whether signed bytes are the same payment, with the same number and from the same account. */
async function isTheSame(raw: Hex, pending: Pending, address: string): Promise<boolean> {
  try {
    const { to, value = 0n, data = '0x', nonce = 0 } = parseTransaction(raw)
    // The bytes are of the form of any signed transaction by now.
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    const same = isSame({ to: to ?? null, value, input: data }, wordsOf(pending))
    return same && nonce === pending.nonce && isFrom({ from: signer }, address)
  } catch {
    return false
  }
}

/** The transaction as the chain has it now, with the price that the next one needs. */
async function requirePending(reader: Client, { network, from, sent }: Question): Promise<Pending> {
  const { hash } = sent
  const tell = (cause?: unknown): Error => replaceError('transaction/not-replaceable', { hash }, { cause })
  if (!isHash(hash)) throw tell()
  const answer: unknown = await reader
    .request({ method: 'eth_getTransactionByHash', params: [hash] })
    .catch((error: unknown) => {
      throw tell(error)
    })
  const [listed] = readListed(answer)
  const fields = Object(answer)
  if (listed === undefined || readQuantity(fields.blockNumber) !== undefined) throw tell()
  if (!isFrom(listed, parseAccountId(from).address)) throw tell()
  const price = raisePrice(readOld(fields), await readPrice(reader, network))
  return { ...listed, price, gas: readQuantity(fields.gas) ?? 21_000n }
}

function readOld(fields: Record<string, unknown>): Price {
  const maxFeePerGas = readQuantity(fields['maxFeePerGas'])
  const tip = readQuantity(fields['maxPriorityFeePerGas'])
  if (maxFeePerGas !== undefined && tip !== undefined) return { maxFeePerGas, maxPriorityFeePerGas: tip }
  return { gasPrice: readQuantity(fields['gasPrice']) ?? 0n }
}

/** An eighth more than before, and no less than what the market takes now. */
function raisePrice(old: Price, now: Price): Price {
  const higher = (before: bigint, present: bigint): bigint => {
    const raised = (before * raise.of) / raise.per + 1n
    return raised > present ? raised : present
  }
  if ('gasPrice' in old) return { gasPrice: higher(old.gasPrice, 'gasPrice' in now ? now.gasPrice : now.maxFeePerGas) }
  const [fee, tip] = 'gasPrice' in now ? [now.gasPrice, 0n] : [now.maxFeePerGas, now.maxPriorityFeePerGas]
  return {
    maxFeePerGas: higher(old.maxFeePerGas, fee),
    maxPriorityFeePerGas: higher(old.maxPriorityFeePerGas, tip),
  }
}
