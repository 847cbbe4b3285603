import { LatchkeyError, type ChainId } from '@latchkey/protocol'
import type { Features } from './features.ts'
import type { Guard } from './guard.ts'
import { standardChain } from './networks.ts'
import { read } from './readWallet.ts'
import type { WalletAccount } from './walletAccounts.ts'
import { fromBase58, fromBase64, signatureOf, toBase58, toBase64 } from './wire.ts'

/** A wallet of the page that is asked. */
export type PageWallet = {
  features: Features
  guard: Guard
  chainId(): ChainId
  /** The first is the selected one. */
  accounts(): readonly WalletAccount[]
}

/** One request: its method, for those who refuse it, and its parameters. */
type Asked = { method: string; params: unknown }

/**
 * Asks a wallet of the page in the words in which wallets are asked over WalletConnect.
 *
 * @throws LatchkeyError `request/failed` with the codes of EIP-1193: 4200 when the wallet cannot, 4100 when it does not
 *   share the account.
 */
export async function askPage(
  wallet: PageWallet,
  { method, params }: { method: string; params?: unknown },
): Promise<unknown> {
  const carryOut = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (carryOut === undefined) throw refused(method, 4200, 'it has no such method')
  return carryOut(wallet, { method, params })
}

const methods: { readonly [method: string]: (wallet: PageWallet, asked: Asked) => Promise<unknown> } = {
  solana_getAccounts: async ({ accounts }) => accounts().map(({ address }) => ({ pubkey: address })),
  solana_signMessage(wallet, asked) {
    const call = find(wallet, asked, 'solana:signMessage', 'signMessage')
    const message = required(asked, fromBase58(read(asked.params, 'message')))
    const input = { account: signer(wallet, asked).given, message }
    return wallet.guard.approving(asked.method, () => call(input), takeSignature)
  },
  async solana_signTransaction(wallet, asked) {
    const { address } = signer(wallet, asked)
    const [signed] = await sign(wallet, asked, [read(asked.params, 'transaction')])
    const signature = signed && signatureOf(signed, address)
    return signed && { transaction: toBase64(signed), signature: signature && toBase58(signature) }
  },
  async solana_signAllTransactions(wallet, asked) {
    const transactions = read(asked.params, 'transactions')
    const signed = await sign(wallet, asked, Array.isArray(transactions) ? transactions : [])
    return { transactions: signed.map(toBase64) }
  },
  solana_signAndSendTransaction(wallet, asked) {
    const call = find(wallet, asked, 'solana:signAndSendTransaction', 'signAndSendTransaction')
    const transaction = required(asked, fromBase64(read(asked.params, 'transaction')))
    const options = read(asked.params, 'sendOptions') ?? {}
    const input = { account: signer(wallet, asked).given, transaction, chain: standardChain(wallet.chainId()), options }
    return wallet.guard.approving(asked.method, () => call(input), takeSignature)
  },
}

function sign(wallet: PageWallet, asked: Asked, transactions: readonly unknown[]): Promise<readonly Uint8Array[]> {
  const call = find(wallet, asked, 'solana:signTransaction', 'signTransaction')
  const account = signer(wallet, asked).given
  const chain = standardChain(wallet.chainId())
  const inputs = transactions.map((each) => ({ account, chain, transaction: required(asked, fromBase64(each)) }))
  return wallet.guard.approving(
    asked.method,
    () => call(...inputs),
    (answer) => {
      const signed = listOf(answer).map((each) => bytesIn(each, 'signedTransaction'))
      if (signed.length !== inputs.length) throw new TypeError('There are not as many answers as questions.')
      return signed
    },
  )
}

function find(
  { features }: PageWallet,
  { method }: Asked,
  feature: string,
  name: string,
): NonNullable<ReturnType<Features['find']>> {
  const call = features.find(feature, name)
  if (call === undefined) throw refused(method, 4200, 'it has no such method')
  return call
}

/** The account that is asked for, or the selected one. */
function signer({ accounts }: PageWallet, { method, params }: Asked): WalletAccount {
  const wanted = read(params, 'pubkey') ?? accounts()[0]?.address
  const account = accounts().find(({ address }) => address === wanted)
  if (account === undefined) throw refused(method, 4100, 'it does not share this account')
  return account
}

function takeSignature(answer: unknown): { signature: string } {
  return { signature: toBase58(bytesIn(listOf(answer)[0], 'signature')) }
}

function required({ method }: Asked, bytes: Uint8Array | undefined): Uint8Array {
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
