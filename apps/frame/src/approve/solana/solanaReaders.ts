import { base58, base64 } from '@scure/base'
import { isRecord } from '@latchkey/protocol'
import { rpcErrors } from '../../chain/rpcError.ts'
import type { CheckedRequest, Reader } from '../approval.ts'
import { getApprovedAccount } from '../checkRequest.ts'
import { describeMessageBytes } from '../messageFacts.ts'
import { parseMessage } from './solanaMessage.ts'
import { sendTransaction } from './sendTransaction.ts'
import {
  parsePendingTransaction,
  describeTransactions,
  withSignature,
  type PendingTransaction,
} from './describeTransactions.ts'
import type { SignRequest } from '../../worker/keyHolder.ts'

/** Readers of the signing methods of Solana. */
export const solanaReaders: Readonly<Record<string, Reader>> = {
  solana_signMessage: readSignMessage,
  solana_signTransaction: readSignTransaction,
  solana_signAllTransactions: readSignAll,
  solana_signAndSendTransaction: readSignAndSend,
}

/** Larger batches are unreadable. */
const mostAtOnce = 20

async function readSignMessage(...[checked, { holder }]: Parameters<Reader>): ReturnType<Reader> {
  const account = signerOf(checked)
  const bytes = decodeMessage(getParameter(checked, 'message'))
  if (isTransaction(bytes)) throw rpcErrors.invalid('the message is a transaction')
  return {
    facts: { ...describeMessageBytes(bytes, checked.origin), account, network: checked.network },
    signs: [{ kind: 'solana', bytes }],
    execute: async () => ({ signature: base58.encode(await holder.sign({ kind: 'solana', bytes })) }),
  }
}

async function readSignTransaction(...[checked, dependencies]: Parameters<Reader>): ReturnType<Reader> {
  const account = signerOf(checked)
  const waiting = parsePendingTransaction(getParameter(checked, 'transaction'), account)
  const { receivers: _, ...facts } = await describeTransactions(checked, dependencies, {
    account,
    waiting: [waiting],
    isSent: false,
  })
  return {
    facts: { ...facts, account, network: checked.network },
    signs: [toSignRequest(waiting)],
    async execute() {
      const signature = await signMessageBytes(dependencies, waiting)
      const transaction = base64.encode(withSignature(waiting, signature))
      return { signature: base58.encode(signature), transaction }
    },
  }
}

async function readSignAll(...[checked, dependencies]: Parameters<Reader>): ReturnType<Reader> {
  const account = signerOf(checked)
  const wanted = getParameter(checked, 'transactions')
  if (!Array.isArray(wanted) || wanted.length === 0 || wanted.length > mostAtOnce) {
    throw rpcErrors.invalid(`1 to ${mostAtOnce} transactions can be signed at once`)
  }
  const waiting = wanted.map((each) => parsePendingTransaction(each, account))
  const { receivers: _, ...facts } = await describeTransactions(checked, dependencies, {
    account,
    waiting,
    isSent: false,
  })
  return {
    facts: { ...facts, account, network: checked.network },
    signs: waiting.map(toSignRequest),
    async execute() {
      const transactions: string[] = []
      for (const each of waiting)
        transactions.push(base64.encode(withSignature(each, await signMessageBytes(dependencies, each))))
      return { transactions }
    },
  }
}

async function readSignAndSend(...[checked, dependencies]: Parameters<Reader>): ReturnType<Reader> {
  const { chain, recipients } = dependencies
  const { network } = checked
  const account = signerOf(checked)
  const waiting = parsePendingTransaction(getParameter(checked, 'transaction'), account)
  if (waiting.place !== 0) throw rpcErrors.invalid('only the fee payer can send a transaction')
  const { receivers, ...facts } = await describeTransactions(checked, dependencies, {
    account,
    waiting: [waiting],
    isSent: true,
  })
  return {
    facts: { ...facts, account, network },
    signs: [toSignRequest(waiting)],
    async execute() {
      const wire = withSignature(waiting, await signMessageBytes(dependencies, waiting))
      const options = getParameter(checked, 'sendOptions') ?? getParameter(checked, 'options')
      const signature = await sendTransaction(chain, network.chainId, wire, options)
      await Promise.all(receivers.map((each) => recipients.add(each)))
      return { signature }
    },
  }
}

function signMessageBytes({ holder }: Parameters<Reader>[1], pending: PendingTransaction): Promise<Uint8Array> {
  return holder.sign(toSignRequest(pending))
}

const toSignRequest = ({ transaction }: PendingTransaction): SignRequest => ({
  kind: 'solana',
  bytes: transaction.message,
})

function signerOf(checked: CheckedRequest): string {
  const wanted = getParameter(checked, 'pubkey')
  return getApprovedAccount(checked, typeof wanted === 'string' ? wanted : undefined)
}

function getParameter({ params }: CheckedRequest, name: string): unknown {
  return isRecord(params) ? params[name] : undefined
}

/** Signed bytes of a transaction take effect, whatever the page calls them. */
function isTransaction(bytes: Uint8Array): boolean {
  try {
    parseMessage(bytes)
    return true
  } catch {
    return false
  }
}

function decodeMessage(message: unknown): Uint8Array {
  try {
    if (typeof message === 'string' && message.length <= 8_000) return base58.decode(message)
  } catch {
    // The error is thrown below.
  }
  throw rpcErrors.invalid('the message is not base58')
}
