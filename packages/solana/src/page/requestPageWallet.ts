import { getField, getListField, type ChainId, type LatchkeyError, requestError } from '@latchkey/protocol'
import { toStandardChain } from '../chain/solanaNetworks.ts'
import { fromBase58, fromBase64, toBase58, toBase64 } from '../wallet/base58.ts'
import { getSignature } from '../wallet/signatures.ts'
import { findFeatureMethod, type FeatureMethod } from './findFeatureMethod.ts'
import type { WalletAccount } from './walletAccounts.ts'
import type { WalletRequests } from './walletRequests.ts'

/** A connected wallet of the page. */
export type PageWallet = {
  wallet: object
  requests: WalletRequests
  chainId(): ChainId
  /** The first account is the selected one. */
  accounts(): readonly WalletAccount[]
}

type PageRequest = { method: string; params: unknown }

/**
 * Sends a request to a wallet of the page. Methods and parameters are those of WalletConnect.
 *
 * @throws LatchkeyError `request/failed` with a code of EIP-1193: 4200 if the wallet lacks the method, 4100 if it does not
 *   share the account
 */
export async function requestPageWallet(
  target: PageWallet,
  { method, params }: { method: string; params?: unknown },
): Promise<unknown> {
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
  if (handler === undefined) throw failedRequest(method, 4200, 'it has no such method')
  return handler(target, { method, params })
}

type Handler = (target: PageWallet, request: PageRequest) => Promise<unknown>

const handlers: { readonly [method: string]: Handler } = {
  solana_getAccounts: async ({ accounts }) => accounts().map(({ address }) => ({ pubkey: address })),
  solana_signMessage(target, request) {
    const call = requireFeature(target, request, 'solana:signMessage', 'signMessage')
    const message = requireBytes(request, fromBase58(getField(request.params, 'message')))
    const input = { account: requireSigner(target, request).given, message }
    return target.requests.approve({ method: request.method, send: () => call(input), parse: parseSignatureOutput })
  },
  async solana_signTransaction(target, request) {
    const { address } = requireSigner(target, request)
    const [signed] = await signTransactions(target, request, [getField(request.params, 'transaction')])
    const signature = signed && getSignature(signed, address)
    return signed && { transaction: toBase64(signed), signature: signature && toBase58(signature) }
  },
  async solana_signAllTransactions(target, request) {
    const signed = await signTransactions(target, request, getListField(request.params, 'transactions'))
    return { transactions: signed.map(toBase64) }
  },
  solana_signAndSendTransaction(target, request) {
    const call = requireFeature(target, request, 'solana:signAndSendTransaction', 'signAndSendTransaction')
    const transaction = requireBytes(request, fromBase64(getField(request.params, 'transaction')))
    const options = getField(request.params, 'sendOptions') ?? {}
    const chain = toStandardChain(target.chainId())
    const input = { account: requireSigner(target, request).given, transaction, chain, options }
    return target.requests.approve({ method: request.method, send: () => call(input), parse: parseSignatureOutput })
  },
}

function signTransactions(
  target: PageWallet,
  request: PageRequest,
  transactions: readonly unknown[],
): Promise<readonly Uint8Array[]> {
  const call = requireFeature(target, request, 'solana:signTransaction', 'signTransaction')
  const account = requireSigner(target, request).given
  const chain = toStandardChain(target.chainId())
  const inputs = transactions.map((each) => ({ account, chain, transaction: requireBytes(request, fromBase64(each)) }))
  return target.requests.approve({
    method: request.method,
    send: () => call(...inputs),
    parse(response) {
      const signed = assertList(response).map((output) => parseBytes(output, 'signedTransaction'))
      if (signed.length !== inputs.length) throw new TypeError('There are fewer or more outputs than inputs.')
      return signed
    },
  })
}

function requireFeature(
  { wallet }: PageWallet,
  { method }: PageRequest,
  feature: string,
  featureMethod: string,
): FeatureMethod {
  const call = findFeatureMethod(wallet, feature, featureMethod)
  if (call === undefined) throw failedRequest(method, 4200, 'it has no such method')
  return call
}

/** Returns the account that the request names, or the selected one. */
function requireSigner({ accounts }: PageWallet, { method, params }: PageRequest): WalletAccount {
  const wanted = getField(params, 'pubkey') ?? accounts()[0]?.address
  const account = accounts().find(({ address }) => address === wanted)
  if (account === undefined) throw failedRequest(method, 4100, 'it does not share this account')
  return account
}

function requireBytes({ method }: PageRequest, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw failedRequest(method, -32_602, 'the parameters are invalid')
  return bytes
}

function failedRequest(method: string, code: number, reason: string): LatchkeyError {
  return requestError('request/failed', { method, code, reason })
}

function parseSignatureOutput(response: unknown): { signature: string } {
  return { signature: toBase58(parseBytes(assertList(response)[0], 'signature')) }
}

function assertList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new TypeError('The response is not a list.')
}

/** Reads bytes. A wallet may have made them in another realm, so `instanceof` would fail. */
function parseBytes(value: unknown, field: string): Uint8Array {
  const bytes = getField(value, field)
  if (ArrayBuffer.isView(bytes) && bytes.byteLength > 0) {
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  throw new TypeError(`The response has no ${field}.`)
}
