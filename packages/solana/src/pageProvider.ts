import type { Provider } from '@latchkey/core'
import { LatchkeyError, type ChainId } from '@latchkey/protocol'
import type { Features } from './features.ts'
import type { Guard } from './guard.ts'
import { standardChain } from './networks.ts'
import { read } from './readWallet.ts'
import type { WalletAccount } from './walletAccounts.ts'
import { fromBase58, fromBase64, signatureOf, toBase58, toBase64 } from './wire.ts'

/** What a provider over a wallet of the page stands on. */
export type PageProviderParts = {
  features: Features
  guard: Guard
  chainId(): ChainId
  /** The first is the selected one. */
  accounts(): readonly WalletAccount[]
}

/** The face of a wallet of the page in the words in which wallets are asked over WalletConnect. */
export function createPageProvider({ features, guard, chainId, accounts }: PageProviderParts): Provider {
  /** @throws LatchkeyError `request/failed`: 4200 when the wallet cannot, as EIP-1193 has it. */
  function find(method: string, feature: string, name: string): (...inputs: readonly unknown[]) => unknown {
    const call = features.find(feature, name)
    if (call === undefined) throw refused(method, 4200, 'it has no such method')
    return call
  }

  /** @throws LatchkeyError `request/failed`: 4100 when the wallet does not share the account. */
  function signer(method: string, params: unknown): object {
    const wanted = read(params, 'pubkey') ?? accounts()[0]?.address
    const account = accounts().find(({ address }) => address === wanted)
    if (account === undefined) throw refused(method, 4100, 'it does not share this account')
    return account.given
  }

  function sign(method: string, params: unknown, transactions: readonly unknown[]): Promise<readonly Uint8Array[]> {
    const call = find(method, 'solana:signTransaction', 'signTransaction')
    const account = signer(method, params)
    const chain = standardChain(chainId())
    const inputs = transactions.map((each) => ({ account, chain, transaction: required(method, fromBase64(each)) }))
    return guard.approving(
      method,
      () => call(...inputs),
      (answer) => {
        const signed = listOf(answer).map((each) => bytesIn(each, 'signedTransaction'))
        if (signed.length !== inputs.length) throw new TypeError('There are not as many answers as questions.')
        return signed
      },
    )
  }

  const methods: { readonly [method: string]: (params: unknown, method: string) => Promise<unknown> } = {
    solana_signMessage(params, method) {
      const call = find(method, 'solana:signMessage', 'signMessage')
      const input = { account: signer(method, params), message: required(method, fromBase58(read(params, 'message'))) }
      return guard.approving(
        method,
        () => call(input),
        (answer) => ({
          signature: toBase58(bytesIn(listOf(answer)[0], 'signature')),
        }),
      )
    },
    async solana_signTransaction(params, method) {
      const [signed] = await sign(method, params, [read(params, 'transaction')])
      const signature = signed && signatureOf(signed, String(read(params, 'pubkey') ?? accounts()[0]?.address))
      return signed && { transaction: toBase64(signed), signature: signature && toBase58(signature) }
    },
    async solana_signAllTransactions(params, method) {
      const transactions = read(params, 'transactions')
      const signed = await sign(method, params, Array.isArray(transactions) ? transactions : [])
      return { transactions: signed.map(toBase64) }
    },
    solana_signAndSendTransaction(params, method) {
      const call = find(method, 'solana:signAndSendTransaction', 'signAndSendTransaction')
      const account = signer(method, params)
      const transaction = required(method, fromBase64(read(params, 'transaction')))
      const options = read(params, 'sendOptions') ?? {}
      const input = { account, transaction, chain: standardChain(chainId()), options }
      return guard.approving(
        method,
        () => call(input),
        (answer) => ({
          signature: toBase58(bytesIn(listOf(answer)[0], 'signature')),
        }),
      )
    },
    solana_getAccounts: async () => accounts().map(({ address }) => ({ pubkey: address })),
  }

  return {
    async request({ method, params }) {
      const carryOut = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (carryOut === undefined) throw refused(method, 4200, 'it has no such method')
      return carryOut(params, method)
    },
  }
}

function required(method: string, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw refused(method, -32_602, 'the parameters cannot be read')
  return bytes
}

function refused(method: string, code: number, reason: string): LatchkeyError {
  return new LatchkeyError('request/failed', { method, code, reason })
}

function listOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  throw new TypeError('The answer is no list.')
}

/** @throws TypeError when there are no bytes. Wallets may have made them in another realm. */
function bytesIn(value: unknown, name: string): Uint8Array {
  const bytes = read(value, name)
  if (ArrayBuffer.isView(bytes) && bytes.byteLength > 0) {
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  throw new TypeError(`There is no ${name}.`)
}
