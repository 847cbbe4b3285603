import { base64, hex } from '@scure/base'
import type { Backend } from '../page/pageProvider.ts'

/** A Bitcoin wallet as its page interfaces need it. */
export type BitcoinPageWallet = Backend & { readonly info: { name: string; icon: string; id: string } }

type Listener = (value: unknown) => void

/**
 * Lists a wallet in a page as sats-connect wallets do.
 *
 * @returns a function that removes it
 * @example const remove = putSatsProvider(wallet, window)
 */
export function putSatsProvider(wallet: BitcoinPageWallet, page: object): () => void {
  const listeners = listenersOf(wallet)
  const provider = {
    async request(method: string, params: unknown) {
      const head = { jsonrpc: '2.0', id: crypto.randomUUID() }
      try {
        return { ...head, result: await wallet.request({ method, params }) }
      } catch (error) {
        const [code, message] = ['code', 'message'].map((field) => Reflect.get(Object(error), field))
        return { ...head, error: { code: code === 4001 ? -32_000 : code, message } }
      }
    },
    addListener: (event: string, listener: Listener) => listeners.add(event, listener),
  }
  const { id, name, icon } = wallet.info
  const listed = (Reflect.get(page, 'btc_providers') ?? []) as object[]
  const entry = { id, name, icon }
  Reflect.set(page, 'btc_providers', [...listed, entry])
  Reflect.set(page, id, provider)
  return () => {
    Reflect.set(
      page,
      'btc_providers',
      (Reflect.get(page, 'btc_providers') as object[]).filter((each) => each !== entry),
    )
    Reflect.deleteProperty(page, id)
  }
}

/**
 * Injects a wallet in the style of UniSat: one object with a method per action, for a single address.
 *
 * @param path where in the page: `unisat`
 * @example const remove = putUnisatProvider(wallet, window)
 */
export function putUnisatProvider(wallet: BitcoinPageWallet, page: object, path = 'unisat'): () => void {
  const listeners = listenersOf(wallet)
  const request = async (method: string, params?: unknown): Promise<unknown> => wallet.request({ method, params })
  const first = async (method: string): Promise<Address | undefined> => {
    const response = await request(method)
    return (Reflect.get(Object(response), 'addresses') as readonly Address[])[0]
  }
  const silently = (): Promise<Address | undefined> => first('wallet_getAccount').catch(() => undefined)
  const listOf = (address: Address | undefined): string[] => (address === undefined ? [] : [address.address])
  const chain = async (): Promise<string> => {
    const response = await request('wallet_getNetwork')
    return String(Reflect.get(Reflect.get(Object(response), 'bitcoin'), 'name')).toUpperCase()
  }
  const names: Readonly<Record<string, string>> = { accountsChanged: 'accountChange', chainChanged: 'networkChange' }
  const provider = {
    requestAccounts: async () => listOf(await first('wallet_connect')),
    getAccounts: async () => listOf(await silently()),
    getPublicKey: async () => (await silently())?.publicKey,
    getChain: async () => ({ enum: `BITCOIN_${await chain()}` }),
    getNetwork: async () => ((await chain()) === 'MAINNET' ? 'livenet' : 'testnet'),
    switchChain: async (name: string) => request('wallet_changeNetwork', { name: name.replace('BITCOIN_', '') }),
    async signMessage(message: string, type = 'ecdsa') {
      const address = (await silently())?.address
      const protocol = type === 'ecdsa' ? 'ECDSA' : 'BIP322'
      return Reflect.get(Object(await request('signMessage', { address, message, protocol })), 'signature')
    },
    async signPsbt(
      psbt: string,
      { toSignInputs = [] }: { toSignInputs?: ReadonlyArray<{ index: number; address: string }> } = {},
    ) {
      const signInputs: Record<string, number[]> = {}
      for (const { index, address } of toSignInputs) (signInputs[address] ??= []).push(index)
      const response = await request('signPsbt', {
        psbt: base64.encode(hex.decode(psbt)),
        signInputs,
        broadcast: false,
      })
      return hex.encode(base64.decode(String(Reflect.get(Object(response), 'psbt'))))
    },
    pushPsbt: async (psbt: string) => {
      const params = { psbt: base64.encode(hex.decode(psbt)), signInputs: {}, broadcast: true }
      return Reflect.get(Object(await request('signPsbt', params)), 'txid')
    },
    sendBitcoin: async (address: string, amount: number) =>
      Reflect.get(Object(await request('sendTransfer', { recipients: [{ address, amount }] })), 'txid'),
    disconnect: async () => request('wallet_disconnect'),
    on: (event: string, listener: Listener) => void listeners.add(names[event] ?? event, listener),
    removeListener: (event: string, listener: Listener) => listeners.remove(names[event] ?? event, listener),
  }
  Reflect.set(page, path, provider)
  return () => void Reflect.deleteProperty(page, path)
}

type Address = { address: string; publicKey: string; purpose: 'payment' | 'ordinals' }

type ListenerList = {
  add(event: string, listener: Listener): () => void
  remove(event: string, listener: Listener): void
}

/** Keeps the listeners of a wallet by event. */
export function listenersOf(wallet: Backend): ListenerList {
  const known = new Set<{ event: string; listener: Listener }>()
  wallet.subscribe((event, value) => {
    for (const each of known) if (each.event === event) each.listener(value)
  })
  return {
    add(event, listener) {
      const entry = { event, listener }
      known.add(entry)
      return () => void known.delete(entry)
    },
    remove(event, listener) {
      for (const each of known) if (each.event === event && each.listener === listener) known.delete(each)
    },
  }
}
