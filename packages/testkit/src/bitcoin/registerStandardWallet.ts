import { base64, hex } from '@scure/base'
import { listenersOf, type BitcoinPageWallet } from './bitcoinPageWallet.ts'

type Account = {
  address: string
  publicKey: Uint8Array
  chains: readonly string[]
  features: readonly string[]
  purpose: 'payment' | 'ordinals'
}

const features = ['bitcoin:connect', 'bitcoin:signMessage', 'bitcoin:signTransaction'] as const

/**
 * Registers a wallet in a page by the Wallet Standard, with the features of Bitcoin.
 *
 * @returns a function that unregisters the wallet
 * @example const unregister = registerStandardWallet(wallet, window)
 */
export function registerStandardWallet(wallet: BitcoinPageWallet, page: EventTarget): () => void {
  const listeners = listenersOf(wallet)
  const changes = new Set<(properties: { accounts: readonly Account[] }) => void>()
  let accounts: readonly Account[] = []

  function take(response: unknown): void {
    const before = JSON.stringify(accounts)
    accounts = readAccounts(response)
    if (JSON.stringify(accounts) === before) return
    for (const changed of changes) changed({ accounts })
  }
  const request: Request = async (method, params) => wallet.request({ method, params })
  const shown = async (): Promise<void> => take(await request('wallet_getAccount').catch(() => undefined))

  for (const event of ['accountChange', 'networkChange', 'disconnect']) listeners.add(event, () => void shown())

  const standard = {
    version: '1.0.0',
    name: wallet.info.name,
    icon: wallet.info.icon,
    chains: ['bitcoin:mainnet', 'bitcoin:testnet', 'bitcoin:signet', 'bitcoin:regtest'],
    get accounts() {
      return accounts
    },
    features: {
      'bitcoin:connect': {
        version: '1.0.0',
        async connect() {
          take(await request('wallet_connect'))
          return { accounts }
        },
      },
      'standard:connect': {
        version: '1.0.0',
        async connect({ silent = false } = {}) {
          if (silent) await shown()
          else take(await request('wallet_connect'))
          return { accounts }
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        async disconnect() {
          await request('wallet_disconnect')
          take(undefined)
        },
      },
      'standard:events': {
        version: '1.0.0',
        on(_: 'change', changed: (properties: { accounts: readonly Account[] }) => void) {
          changes.add(changed)
          return () => void changes.delete(changed)
        },
      },
      ...createSigningFeatures(request),
    },
  }

  return registerInPage(standard, page)
}

function createSigningFeatures(request: Request): object {
  return {
    'bitcoin:signMessage': {
      version: '1.0.0',
      async signMessage({ account, message }: { account: Account; message: Uint8Array }) {
        const params = { address: account.address, message: new TextDecoder().decode(message), protocol: 'BIP322' }
        const signature = base64.decode(String(Reflect.get(Object(await request('signMessage', params)), 'signature')))
        return [{ signedMessage: message, signature }]
      },
    },
    'bitcoin:signTransaction': {
      version: '1.0.0',
      async signTransaction({ psbt, inputsToSign }: SigningRequest) {
        const signInputs: Record<string, number[]> = {}
        for (const { account, signingIndexes } of inputsToSign) {
          ;(signInputs[account.address] ??= []).push(...signingIndexes)
        }
        const response = await request('signPsbt', { psbt: base64.encode(psbt), signInputs })
        return [{ signedPsbt: base64.decode(String(Reflect.get(Object(response), 'psbt'))) }]
      },
    },
  }
}

/** Registers with apps that are already listening, and with those that announce themselves later. */
function registerInPage(wallet: object, page: EventTarget): () => void {
  const unregister = new Set<unknown>()
  const callback = ({ register }: { register(...wallets: readonly unknown[]): unknown }): void =>
    void unregister.add(register(wallet))
  const onAppReady = (event: Event): void => callback(Reflect.get(event, 'detail'))
  page.addEventListener('wallet-standard:app-ready', onAppReady)
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  return () => {
    page.removeEventListener('wallet-standard:app-ready', onAppReady)
    for (const end of unregister) if (typeof end === 'function') end()
  }
}

type Request = (method: string, params?: unknown) => Promise<unknown>

type SigningRequest = {
  psbt: Uint8Array
  inputsToSign: ReadonlyArray<{ account: Account; signingIndexes: readonly number[] }>
}

function readAccounts(response: unknown): readonly Account[] {
  if (typeof response !== 'object' || response === null) return []
  const { addresses, network } = response as {
    addresses: ReadonlyArray<{ address: string; publicKey: string; purpose: 'payment' | 'ordinals' }>
    network: { bitcoin: { name: string } }
  }
  const chains = [`bitcoin:${network.bitcoin.name.toLowerCase()}`]
  return addresses.map(({ address, publicKey, purpose }) => {
    return Object.freeze({ address, publicKey: hex.decode(publicKey), purpose, chains, features })
  })
}
