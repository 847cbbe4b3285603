import type { ChainId } from '@latchkey/protocol'
import { chainOfName, nameOfChain } from './chainNames.ts'
import { call, field, listOf, textOf, type Opened, type PageWallet, type WalletAddress } from './pageWallet.ts'

/**
 * A wallet that speaks the request methods of sats-connect. Its answers are those of JSON-RPC, inside of which it also
 * tells what went wrong.
 */
export function satsWallet(provider: object): PageWallet {
  async function ask(method: string, params: unknown): Promise<unknown> {
    const answer = await call(provider, 'request', method, params)
    const error = field(answer, 'error')
    if (error !== undefined && error !== null) throw error
    return field(answer, 'result')
  }

  async function chainId(): Promise<ChainId | undefined> {
    return chainOfName(field(await ask('wallet_getNetwork', null), 'bitcoin', 'name'))
  }

  /** Older ones have only `getAccounts`. */
  async function askConsent(): Promise<unknown> {
    const purposes = ['payment', 'ordinals']
    try {
      return await ask('wallet_connect', { addresses: purposes, message: 'Connect to this page' })
    } catch (error) {
      if (!isUnknownMethod(error)) throw error
      return { addresses: await ask('getAccounts', { purposes, message: 'Connect to this page' }) }
    }
  }

  async function open({ silent }: { silent: boolean }): Promise<Opened | undefined> {
    let answer: unknown
    try {
      answer = silent ? await ask('wallet_getAccount', null) : await askConsent()
    } catch (error) {
      // Whoever was given nothing is told that he may not ask.
      if (silent && field(error, 'code') !== undefined) return undefined
      throw error
    }
    const addresses = listOf(field(answer, 'addresses'))
      .map(readAddress)
      .filter((address) => address !== undefined)
    if (addresses.length === 0) return undefined
    const chain = chainOfName(field(answer, 'network', 'bitcoin', 'name')) ?? (await chainId())
    return chain === undefined ? undefined : { addresses, chainId: chain, approvedChains: 'all' }
  }

  return {
    open,
    async signMessage({ address, message, protocol }) {
      const params = { address, message, protocol: protocol === 'bip322' ? 'BIP322' : 'ECDSA' }
      return field(await ask('signMessage', params), 'signature')
    },
    async signPsbt({ psbt, inputs, broadcast }) {
      const signInputs: Record<string, number[]> = {}
      for (const { address, index } of inputs) (signInputs[address] ??= []).push(index)
      const answer = await ask('signPsbt', { psbt, signInputs, broadcast })
      return { psbt: field(answer, 'psbt'), txid: field(answer, 'txid') }
    },
    async sendTransfer({ to, value }) {
      return field(await ask('sendTransfer', { recipients: [{ address: to, amount: Number(value) }] }), 'txid')
    },
    async switchTo(chain) {
      const name = nameOfChain(chain)
      if (name === undefined) return false
      await ask('wallet_changeNetwork', { name: `${name.charAt(0).toUpperCase()}${name.slice(1)}` })
      return true
    },
    close: () => ask('wallet_disconnect', null),
    listen({ changed, left }) {
      const events = [
        ['accountChange', changed],
        ['networkChange', changed],
        ['disconnect', left],
      ] as const
      const stops = events.map(([event, hear]) => call(provider, 'addListener', event, hear).catch(() => undefined))
      return () => {
        for (const stop of stops) void stop.then((end) => typeof end === 'function' && end())
      }
    },
  }
}

function readAddress(value: unknown): WalletAddress | undefined {
  const address = textOf(field(value, 'address'))
  const purpose = field(value, 'purpose')
  if (address === undefined || (purpose !== 'payment' && purpose !== 'ordinals')) return undefined
  return { address, purpose, publicKey: textOf(field(value, 'publicKey')) }
}

/** What sats-connect and JSON-RPC say of a method that the wallet does not have. */
function isUnknownMethod(error: unknown): boolean {
  return [-32601, -32001].some((code) => field(error, 'code') === code)
}
