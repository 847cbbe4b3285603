import { base58, hex } from '@scure/base'
import { isRecord } from '@latchkey/protocol'
import { rpcErrors } from '../../rpcError.ts'
import type { RequestDecoders } from '../decodeRequest.ts'
import { getSigner } from '../getSigner.ts'
import type { AdapterRequest, DecodedRequest } from '../namespaceAdapter.ts'
import type { Message } from '../typedDataSummary.ts'
import { describeTransaction, describeTransactions } from './describeTransaction.ts'
import { estimateFee, sendSolanaTransaction } from './sendSolanaTransaction.ts'
import type { SolanaAccount } from './solanaAccount.ts'
import { parseSolanaTransaction, signSolanaTransaction, type SolanaTransaction } from './solanaTransaction.ts'

/** Creates the decoders of the Solana methods. */
export function createSolanaDecoders(accounts: readonly SolanaAccount[]): RequestDecoders {
  const signer = (request: AdapterRequest): SolanaAccount => getSigner(accounts, request, 'pubkey')
  return {
    solana_signMessage: (request) => decodeSolanaMessage(request, signer(request)),
    solana_signTransaction(request) {
      const account = signer(request)
      const transaction = parseOwnTransaction(account, getParameter(request, 'transaction'))
      const execute = async (): Promise<unknown> => signSolanaTransaction(transaction, account)
      return { kind: 'typedData', account, data: describeTransactions([transaction]), execute }
    },
    solana_signAllTransactions: (request) => decodeTransactions(request, signer(request)),
    solana_signAndSendTransaction: (request) => decodeSend(request, signer(request)),
  }
}

function decodeSolanaMessage({ params }: AdapterRequest, account: SolanaAccount): DecodedRequest {
  const bytes = parseMessageBytes(params)
  const execute = async (): Promise<unknown> => ({ signature: base58.encode(account.sign(bytes)) })
  return { kind: 'message', account, message: toMessage(bytes), execute }
}

function decodeTransactions(request: AdapterRequest, account: SolanaAccount): DecodedRequest {
  const requested = getParameter(request, 'transactions')
  if (!Array.isArray(requested) || requested.length === 0) throw rpcErrors.invalid('transactions is empty')
  const transactions = requested.map((each) => parseOwnTransaction(account, each))
  const execute = async (): Promise<unknown> => ({
    transactions: transactions.map((each) => signSolanaTransaction(each, account).transaction),
  })
  return { kind: 'typedData', account, data: describeTransactions(transactions), execute }
}

function decodeSend(request: AdapterRequest, account: SolanaAccount): DecodedRequest {
  const { network, tokens } = request
  const transaction = parseOwnTransaction(account, getParameter(request, 'transaction'))
  return {
    kind: 'transaction',
    account,
    transaction: describeTransaction(transaction, network, tokens),
    estimate: () => estimateFee(network, transaction),
    async execute() {
      const signed = signSolanaTransaction(transaction, account)
      const sendOptions = getParameter(request, 'sendOptions')
      return { signature: await sendSolanaTransaction(network, signed.transaction, sendOptions) }
    },
  }
}

/** @throws RpcError -32602 if the transaction doesn't require the account's signature */
function parseOwnTransaction(account: SolanaAccount, value: unknown): SolanaTransaction {
  const transaction = parseSolanaTransaction(value)
  if (!transaction.signers.includes(account.address)) throw rpcErrors.invalid('the account is not a signer')
  return transaction
}

function getParameter({ params }: AdapterRequest, name: string): unknown {
  return isRecord(params) ? params[name] : undefined
}

/** @throws RpcError -32602 if there is no base58 message */
function parseMessageBytes(params: unknown): Uint8Array {
  const message = isRecord(params) ? params['message'] : undefined
  try {
    if (typeof message === 'string') return base58.decode(message)
  } catch {
    // Invalid base58 gets the same error as a missing message.
  }
  throw rpcErrors.invalid('message is missing')
}

/** Converts bytes to text if they are valid UTF-8. */
function toMessage(bytes: Uint8Array): Message {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { kind: 'bytes', hex: `0x${hex.encode(bytes)}` }
  }
}
