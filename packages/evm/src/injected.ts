import { type Clock, type Connection, type Connector, orAborted, systemClock } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { readAddresses } from './address.ts'
import type { Eip1193Provider } from './eip1193.ts'
import { followWallet } from './followWallet.ts'
import { guardProvider } from './guardedProvider.ts'
import { accountIdOf, readChainId } from './networks.ts'

/** A wallet found in the page, or around it. */
export type InjectedWallet = { id: string; name: string; icon?: string; rdns?: string; provider: Eip1193Provider } & {
  /** `injected` when left out. */
  type?: Connector['type']
  /** All when left out. */
  approvedChains?: Connection['approvedChains']
  details?: Connection['details']
}

const revokeMilliseconds = 1_000

/** The way to a wallet that lives in the page. It asks nothing before `connect` or `restore` is called. */
export function injectedConnector(
  { id, name, icon, rdns, provider: raw, type = 'injected', approvedChains = 'all', details }: InjectedWallet,
  clock: Clock = systemClock,
): Connector {
  const provider = guardProvider(raw, name, clock)

  /** Undefined when the wallet answers, and shows no account. */
  async function open(method: 'eth_requestAccounts' | 'eth_accounts'): Promise<Connection | undefined> {
    const addresses = readAddresses(await provider.request({ method }))
    if (addresses === undefined) throw invalidAnswer(method)
    if (addresses.length === 0) return undefined
    const chainId = readChainId(await provider.request({ method: 'eth_chainId' }))
    if (chainId === undefined) throw invalidAnswer('eth_chainId')
    const [first, ...others] = addresses.map((address) => accountIdOf(chainId, address))
    return (
      first && {
        namespace: 'eip155',
        accounts: [first, ...others],
        chainId,
        approvedChains,
        provider,
        details,
        chooseAccounts,
        wallet: { name, icon },
        listen: (listener) => followWallet(raw, provider, chainId, listener),
      }
    )
  }

  async function chooseAccounts(): Promise<void> {
    const { ask } = await import('./calls/ask.ts')
    await ask({ provider, wallet: { name } }, 'wallet_requestPermissions', [{ eth_accounts: {} }])
  }

  /** What goes wrong while connecting is about the connection, not about a request that the visitor never made. */
  function connectionFailure(error: unknown): unknown {
    if (isLatchkeyError(error, 'request/rejected')) {
      return new LatchkeyError('connection/rejected', { wallet: name }, { cause: error.cause })
    }
    if (isLatchkeyError(error, 'request/unknown')) {
      return new LatchkeyError('wallet/unavailable', { wallet: name }, { cause: error })
    }
    return isLocked(error) ? new LatchkeyError('wallet/locked', { wallet: name }, { cause: error }) : error
  }

  /** One that shows no account, though we may see them, is locked. It knows us still. */
  async function reopen(): Promise<Connection | undefined> {
    const connection = await open('eth_accounts').catch((error: unknown) => {
      throw connectionFailure(error)
    })
    if (connection === undefined && (await provider.isPermitted()) === true) {
      throw new LatchkeyError('wallet/locked', { wallet: name })
    }
    return connection
  }

  function invalidAnswer(method: string): LatchkeyError {
    return new LatchkeyError('wallet/invalid-answer', { wallet: name, method })
  }

  return {
    id,
    name,
    type,
    icon,
    rdns,
    namespaces: ['eip155'],
    async connect({ signal }) {
      if (signal.aborted) throw new LatchkeyError('connection/aborted', {})
      const opening = open('eth_requestAccounts').catch((error: unknown) => {
        throw connectionFailure(error)
      })
      const connection = await orAborted(opening, signal)
      if (connection === undefined) throw invalidAnswer('eth_requestAccounts')
      return [connection]
    },
    async restore({ signal }) {
      const connection = await orAborted(reopen(), signal)
      return connection === undefined ? [] : [connection]
    },
    disconnect() {
      const revoking = provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
      // Many wallets cannot do it, and some never answer what they do not know. Nothing here depends on it.
      return new Promise((resolve) => {
        const cancel = clock.after(revokeMilliseconds, resolve)
        const finish = (): void => {
          cancel()
          resolve()
        }
        revoking.then(finish, finish)
      })
    },
  }
}

/** Some wallets say that they are locked, by the code for what the visitor did not allow (EIP-1193). */
function isLocked(error: unknown): boolean {
  return isLatchkeyError(error, 'request/failed') && error.context.code === 4100 && /lock/i.test(error.context.reason)
}
