import { base58, base64 } from '@scure/base'
import { refusals } from '../../chain/rpcError.ts'
import { isRecord } from '../../services/ask.ts'
import type { Asked, Reader } from '../approval.ts'
import { accountOf } from '../asked.ts'
import { messageFacts } from '../message.ts'
import { readMessage } from './message.ts'
import { send } from './send.ts'
import { readWaiting, tell, withSignature, type Waiting } from './transactions.ts'

/** What pages ask of an account of Solana. */
export const solanaReaders: Readonly<Record<string, Reader>> = {
  solana_signMessage: readSignMessage,
  solana_signTransaction: readSignTransaction,
  solana_signAllTransactions: readSignAll,
  solana_signAndSendTransaction: readSignAndSend,
}

/** More at once nobody reads. */
const mostAtOnce = 20

async function readSignMessage(...[asked, { holder }]: Parameters<Reader>): ReturnType<Reader> {
  const account = signerOf(asked)
  const bytes = bytesOf(parameter(asked, 'message'))
  if (isTransaction(bytes)) throw refusals.invalid('the message is a transaction')
  return {
    facts: { ...messageFacts(bytes, asked.origin), account, network: asked.network },
    carryOut: async () => ({ signature: base58.encode(await holder.sign({ kind: 'solana', bytes })) }),
  }
}

async function readSignTransaction(...[asked, parts]: Parameters<Reader>): ReturnType<Reader> {
  const account = signerOf(asked)
  const waiting = readWaiting(parameter(asked, 'transaction'), account)
  const { receivers: _, ...facts } = await tell(asked, parts, { account, waiting: [waiting], isSent: false })
  return {
    facts: { ...facts, account, network: asked.network },
    async carryOut() {
      const signature = await sign(parts, waiting)
      const transaction = base64.encode(withSignature(waiting, signature))
      return { signature: base58.encode(signature), transaction }
    },
  }
}

async function readSignAll(...[asked, parts]: Parameters<Reader>): ReturnType<Reader> {
  const account = signerOf(asked)
  const wanted = parameter(asked, 'transactions')
  if (!Array.isArray(wanted) || wanted.length === 0 || wanted.length > mostAtOnce) {
    throw refusals.invalid(`1 to ${mostAtOnce} transactions are signed at once`)
  }
  const waiting = wanted.map((each) => readWaiting(each, account))
  const { receivers: _, ...facts } = await tell(asked, parts, { account, waiting, isSent: false })
  return {
    facts: { ...facts, account, network: asked.network },
    async carryOut() {
      const transactions: string[] = []
      for (const each of waiting) transactions.push(base64.encode(withSignature(each, await sign(parts, each))))
      return { transactions }
    },
  }
}

async function readSignAndSend(...[asked, parts]: Parameters<Reader>): ReturnType<Reader> {
  const { chain, recipients } = parts
  const { network } = asked
  const account = signerOf(asked)
  const waiting = readWaiting(parameter(asked, 'transaction'), account)
  if (waiting.place !== 0) throw refusals.invalid('only who pays for a transaction has it sent')
  const { receivers, ...facts } = await tell(asked, parts, { account, waiting: [waiting], isSent: true })
  return {
    facts: { ...facts, account, network },
    async carryOut() {
      const wire = withSignature(waiting, await sign(parts, waiting))
      const options = parameter(asked, 'sendOptions') ?? parameter(asked, 'options')
      const signature = await send(chain, network.chainId, wire, options)
      await Promise.all(receivers.map((each) => recipients.add(each)))
      return { signature }
    },
  }
}

function sign({ holder }: Parameters<Reader>[1], { transaction }: Waiting): Promise<Uint8Array> {
  return holder.sign({ kind: 'solana', bytes: transaction.message })
}

function signerOf(asked: Asked): string {
  const wanted = parameter(asked, 'pubkey')
  return accountOf(asked, typeof wanted === 'string' ? wanted : undefined)
}

function parameter({ params }: Asked, name: string): unknown {
  return isRecord(params) ? params[name] : undefined
}

/** Bytes that are a transaction would move something once they are signed, whatever they are called. */
function isTransaction(bytes: Uint8Array): boolean {
  try {
    readMessage(bytes)
    return true
  } catch {
    return false
  }
}

function bytesOf(message: unknown): Uint8Array {
  try {
    if (typeof message === 'string' && message.length <= 8_000) return base58.decode(message)
  } catch {
    // Told below.
  }
  throw refusals.invalid('the message is not written in base58')
}
