import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { base58, base64 } from '@scure/base'
import { completeInfo } from '../page/info.ts'
import type { Backend } from '../page/pageProvider.ts'

/** The metadata of a Solana wallet. */
export type SolanaWalletInfo = {
  /** Letters and digits. */
  id: string
  name: string
  icon: string
  chains: readonly string[]
  /** Features that the wallet does not support. */
  without: readonly string[]
}

/**
 * Adds defaults to the description of a wallet. @param chains ids of the Wallet Standard, for example `solana:mainnet`
 */
export function completeSolanaInfo(
  given: Partial<SolanaWalletInfo> = {},
  chains: readonly string[] = [],
): SolanaWalletInfo {
  const { uuid, icon } = completeInfo()
  return { id: uuid.replaceAll('-', ''), name: 'Simulated Solana Wallet', icon, chains, without: [], ...given }
}

type Changed = (change: { accounts: readonly WalletAccount[] }) => void

/** Creates the Wallet Standard object that a page uses. The wallet may run in another process. */
export function createStandardWallet(info: SolanaWalletInfo, backend: Backend): Wallet {
  const listeners = new Set<Changed>()
  // The standard uses template literal types, which these strings match.
  const { name, icon, chains } = info as SolanaWalletInfo & Pick<Wallet, 'icon' | 'chains'>
  let accounts: readonly WalletAccount[] = []

  function setAccounts(addresses: unknown): readonly WalletAccount[] {
    const next = Array.isArray(addresses) ? addresses.map((address) => toWalletAccount(String(address), chains)) : []
    const moved = next.map(({ address }) => address).join() !== accounts.map(({ address }) => address).join()
    if (!moved) return accounts
    accounts = next
    for (const listener of listeners) listener({ accounts })
    return accounts
  }

  backend.subscribe((event, value) => {
    if (event === 'accounts') setAccounts(value)
  })

  const features = {
    'standard:connect': {
      version: '1.0.0',
      async connect({ silent = false }: { silent?: boolean } = {}) {
        const method = silent ? 'standard:silentConnect' : 'standard:connect'
        return { accounts: setAccounts(await backend.request({ method })) }
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      async disconnect() {
        await backend.request({ method: 'standard:disconnect' })
      },
    },
    'standard:events': {
      version: '1.0.0',
      on(_event: 'change', listener: Changed) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    ...signingFeatures(backend),
  }
  const copy = Object.entries(features).filter(([feature]) => !info.without.includes(feature))
  return {
    version: '1.0.0',
    name,
    icon,
    chains,
    features: Object.fromEntries(copy),
    get accounts() {
      return accounts
    },
  }
}

type SigningInput = { account: WalletAccount; transaction: Uint8Array; chain?: string; options?: unknown }

function signingFeatures(backend: Backend): Wallet['features'] {
  const request = async (method: string, params: object): Promise<readonly Uint8Array[]> => {
    // This package's wallet responds with base64.
    const responses = (await backend.request({ method, params })) as readonly string[]
    return responses.map((each) => base64.decode(each))
  }
  /** All inputs of one call need a single approval. */
  const requestTransactions = (method: string, inputs: readonly SigningInput[]): Promise<readonly Uint8Array[]> => {
    const [first] = inputs
    const transactions = inputs.map(({ transaction }) => base64.encode(transaction))
    const { account, chain, options } = first ?? {}
    return request(method, { address: account?.address, transactions, chain, options })
  }
  const supportedTransactionVersions = ['legacy', 0]
  return {
    'solana:signMessage': {
      version: '1.1.0',
      async signMessage({ account, message }: { account: WalletAccount; message: Uint8Array }) {
        const signRequest = { address: account.address, message: base64.encode(message) }
        const signatures = await request('solana:signMessage', signRequest)
        return signatures.map((signature) => ({ signedMessage: message, signature, signatureType: 'ed25519' }))
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions,
      async signTransaction(...inputs: readonly SigningInput[]) {
        const signed = await requestTransactions('solana:signTransaction', inputs)
        return signed.map((signedTransaction) => ({ signedTransaction }))
      },
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions,
      async signAndSendTransaction(...inputs: readonly SigningInput[]) {
        const sent = await requestTransactions('solana:signAndSendTransaction', inputs)
        return sent.map((signature) => ({ signature }))
      },
    },
  }
}

function toWalletAccount(address: string, chains: Wallet['chains']): WalletAccount {
  const features = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'] as const
  return { address, publicKey: base58.decode(address), chains, features }
}
