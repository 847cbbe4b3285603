import { callMethod } from '@latchkey/adapter-kit'
import { getField, getListField, getStringField, type ChainId } from '@latchkey/protocol'
import { getChainName, parseChainName } from '../chain/chainNames.ts'
import type { OpenedWallet, PageWallet, PsbtToSign, WalletAddress } from './pageWallet.ts'

type SendRequest = (method: string, params: object | null) => Promise<unknown>

/** Wraps a wallet with the request methods of sats-connect. It responds in JSON-RPC, errors included. */
export function satsWallet(provider: object): PageWallet {
  const send: SendRequest = async (method, params) => {
    const response = await callMethod(provider, 'request', method, params)
    const error = getField(response, 'error')
    if (error !== undefined && error !== null) throw error
    return getField(response, 'result')
  }

  return {
    open: ({ silent }) => openSats(send, silent),
    async signMessage({ address, message, protocol }) {
      const params = { address, message, protocol: protocol === 'bip322' ? 'BIP322' : 'ECDSA' }
      return getField(await send('signMessage', params), 'signature')
    },
    signPsbt: (psbt) => signSatsPsbt(send, psbt),
    async sendTransfer({ to, value }) {
      return getField(await send('sendTransfer', { recipients: [{ address: to, amount: Number(value) }] }), 'txid')
    },
    async switchTo(chain) {
      const name = getChainName(chain)
      if (name === undefined) return false
      await send('wallet_changeNetwork', { name: `${name.charAt(0).toUpperCase()}${name.slice(1)}` })
      return true
    },
    close: () => send('wallet_disconnect', null),
    listen: ({ changed, left }) => listenToSats(provider, { changed, left }),
  }
}

async function openSats(send: SendRequest, silent: boolean): Promise<OpenedWallet | undefined> {
  let response: unknown
  try {
    response = silent ? await send('wallet_getAccount', null) : await requestConsent(send)
  } catch (error) {
    // A wallet refuses a silent request without an earlier consent with a code.
    if (silent && getField(error, 'code') !== undefined) return undefined
    throw error
  }
  const addresses = getListField(response, 'addresses')
    .map(parseSatsAddress)
    .filter((address) => address !== undefined)
  if (addresses.length === 0) return undefined
  const chainId = parseChainName(getField(response, 'network', 'bitcoin', 'name')) ?? (await getSatsChain(send))
  return chainId === undefined ? undefined : { addresses, chainId, approvedChains: 'all' }
}

/** Older wallets have only `getAccounts`. */
async function requestConsent(send: SendRequest): Promise<unknown> {
  const purposes = ['payment', 'ordinals']
  const message = 'Connect to this page'
  try {
    return await send('wallet_connect', { addresses: purposes, message })
  } catch (error) {
    if (!isUnknownMethod(error)) throw error
    return { addresses: await send('getAccounts', { purposes, message }) }
  }
}

async function getSatsChain(send: SendRequest): Promise<ChainId | undefined> {
  return parseChainName(getField(await send('wallet_getNetwork', null), 'bitcoin', 'name'))
}

async function signSatsPsbt(
  send: SendRequest,
  { psbt, inputs, broadcast }: PsbtToSign,
): Promise<{ psbt: unknown; txid: unknown }> {
  const signInputs: Record<string, number[]> = {}
  for (const { address, index } of inputs) (signInputs[address] ??= []).push(index)
  const response = await send('signPsbt', { psbt, signInputs, broadcast })
  return { psbt: getField(response, 'psbt'), txid: getField(response, 'txid') }
}

/** Listens in both forms of sats-connect: an object since version 4, two arguments before. A wallet ignores the other. */
function listenToSats(provider: object, { changed, left }: Parameters<PageWallet['listen']>[0]): () => void {
  const events = [
    ['accountChange', changed],
    ['networkChange', changed],
    ['disconnect', left],
  ] as const
  const stops = events
    .flatMap(([event, listener]) => [
      callMethod(provider, 'addListener', { eventName: event, cb: listener }),
      callMethod(provider, 'addListener', event, listener),
    ])
    .map((stop) => stop.catch(() => undefined))
  return () => {
    for (const stop of stops) void stop.then((end) => typeof end === 'function' && end())
  }
}

function parseSatsAddress(value: unknown): WalletAddress | undefined {
  const address = getStringField(value, 'address')
  const purpose = getField(value, 'purpose')
  if (address === undefined || (purpose !== 'payment' && purpose !== 'ordinals')) return undefined
  return { address, purpose, publicKey: getStringField(value, 'publicKey') }
}

/** The codes of JSON-RPC and sats-connect for a method that the wallet does not have. */
function isUnknownMethod(error: unknown): boolean {
  return [-32_601, -32_001].some((code) => getField(error, 'code') === code)
}
