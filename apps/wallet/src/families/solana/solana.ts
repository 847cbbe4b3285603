import { base58, hex } from '@scure/base'
import { isRecord } from '../../config.ts'
import { refusals } from '../../rpcError.ts'
import type { Family, FamilyRequest, Question } from '../family.ts'
import type { Message } from '../question.ts'
import { readBalances } from './balances.ts'
import { describeForSigning, describeTransaction } from './describe.ts'
import { developmentAccounts, type SolanaAccount } from './keys.ts'
import { estimateFee, send } from './send.ts'
import { readTransaction, signTransaction, type SolanaTransaction } from './transaction.ts'

/** Everything that the wallet does in solana. */
export function solana(): Family {
  const accounts = developmentAccounts()

  /**
   * The account that is asked for, or the selected one.
   *
   * @throws RpcError 4100 unless the session shares it.
   */
  function signerOf({ params, accounts: shared }: FamilyRequest): SolanaAccount {
    const wanted = isRecord(params) ? params['pubkey'] : undefined
    const address = typeof wanted === 'string' ? wanted : shared[0]?.address
    const account = accounts.find((each) => each.address === address)
    if (account === undefined || !shared.some((each) => each.address === address)) {
      throw refusals.unauthorized(String(address))
    }
    return account
  }

  /** @throws RpcError -32602 unless the transaction waits for the account's signature. */
  function readFor(account: SolanaAccount, value: unknown): SolanaTransaction {
    const transaction = readTransaction(value)
    if (!transaction.signers.includes(account.address)) throw refusals.invalid('the account is no signer')
    return transaction
  }

  const readers: { [method: string]: (request: FamilyRequest) => Question } = {
    solana_signMessage(request) {
      const account = signerOf(request)
      const bytes = readMessage(request.params)
      const answer = async (): Promise<unknown> => ({ signature: base58.encode(account.sign(bytes)) })
      return { kind: 'message', account, message: showMessage(bytes), answer }
    },
    solana_signTransaction(request) {
      const account = signerOf(request)
      const transaction = readFor(account, parameter(request, 'transaction'))
      const answer = async (): Promise<unknown> => signTransaction(transaction, account)
      return { kind: 'typedData', account, data: describeForSigning([transaction]), answer }
    },
    solana_signAllTransactions(request) {
      const account = signerOf(request)
      const asked = parameter(request, 'transactions')
      if (!Array.isArray(asked) || asked.length === 0) throw refusals.invalid('no transactions')
      const transactions = asked.map((each) => readFor(account, each))
      const answer = async (): Promise<unknown> => ({
        transactions: transactions.map((each) => signTransaction(each, account).transaction),
      })
      return { kind: 'typedData', account, data: describeForSigning(transactions), answer }
    },
    solana_signAndSendTransaction(request) {
      const { network, tokens } = request
      const account = signerOf(request)
      const transaction = readFor(account, parameter(request, 'transaction'))
      return {
        kind: 'transaction',
        account,
        transaction: describeTransaction(transaction, network, tokens),
        estimate: () => estimateFee(network, transaction),
        async answer() {
          const signed = signTransaction(transaction, account)
          return { signature: await send(network, signed.transaction, parameter(request, 'sendOptions')) }
        },
      }
    },
  }

  return {
    namespace: 'solana',
    accounts,
    methods: Object.keys(readers),
    events: ['accountsChanged', 'chainChanged'],
    balances: readBalances,
    read(request) {
      const read = Object.hasOwn(readers, request.method) ? readers[request.method] : undefined
      if (read === undefined) throw refusals.unsupported(request.method)
      return read(request)
    },
    accountEvent: (address, chainId) => ({ name: 'accountsChanged', data: [`${chainId}:${address}`] }),
    networkEvent: ({ caipNetworkId }) => ({ name: 'chainChanged', data: caipNetworkId }),
  }
}

function parameter({ params }: FamilyRequest, name: string): unknown {
  return isRecord(params) ? params[name] : undefined
}

/** @throws RpcError -32602 unless there is a message in base58. */
function readMessage(params: unknown): Uint8Array {
  const message = isRecord(params) ? params['message'] : undefined
  try {
    if (typeof message === 'string') return base58.decode(message)
  } catch {
    // Told below.
  }
  throw refusals.invalid('no message')
}

/** Shows bytes as the text they encode, and as bytes when they encode none. */
function showMessage(bytes: Uint8Array): Message {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { kind: 'bytes', hex: `0x${hex.encode(bytes)}` }
  }
}
