import type { Clock, Provider } from '@latchkey/core'
import { classifyMethod, LatchkeyError } from '@latchkey/protocol'
import { errorCode, errorReason, isRejection, type Eip1193Provider } from './eip1193.ts'

/** How long a wallet may take, in milliseconds. */
const patience = {
  /** To show that it is still there. */
  probe: 2_000,
  /** To say what it need not say at all. */
  remark: 500,
  /** To answer what it need not ask its owner. */
  read: 10_000,
  /** To get an approval. */
  approval: 300_000,
} as const

/** A provider whose every request ends: with an answer, or with an error that says what is known. */
export type GuardedProvider = Provider & {
  /** Asks for the accounts (`eth_accounts`) to see whether the wallet is still there. */
  probe(): Promise<unknown>
  /**
   * Whether the page may see accounts, though it is shown none because the wallet is locked (EIP-2255); undefined when
   * the wallet does not say.
   */
  isPermitted(): Promise<boolean | undefined>
  /** Ends all requests under way, because the wallet is gone. */
  abandon(): void
}

/** Puts the words of Latchkey and a time limit around a wallet's provider. */
export function guardProvider(provider: Eip1193Provider, wallet: string, clock: Clock): GuardedProvider {
  const underWay = new Set<() => void>()

  function within(milliseconds: number, args: { method: string; params?: unknown }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const abandon = (): void => finish(() => reject(gone(args.method)))
      const cancel = clock.after(milliseconds, abandon)
      const finish = (settle: () => void): void => {
        cancel()
        underWay.delete(abandon)
        settle()
      }
      underWay.add(abandon)
      ask(args).then(
        (answer) => finish(() => resolve(answer)),
        (error: unknown) => finish(() => reject(error)),
      )
    })
  }

  /** What was to be signed may have been signed; only a read is known to have come to nothing. */
  function gone(method: string): LatchkeyError {
    return isRead(method)
      ? new LatchkeyError('wallet/unavailable', { wallet })
      : new LatchkeyError('request/unknown', { method })
  }

  async function ask(args: { method: string; params?: unknown }): Promise<unknown> {
    try {
      return await provider.request(args)
    } catch (cause) {
      throw translate(args.method, cause)
    }
  }

  function translate(method: string, cause: unknown): LatchkeyError {
    const code = errorCode(cause)
    if (isRejection(cause)) return new LatchkeyError('request/rejected', { method }, { cause })
    if (code === 4900 || code === 4901) return new LatchkeyError('wallet/unavailable', { wallet }, { cause })
    const reason = code === -32002 ? 'it still waits for an answer to an earlier request' : errorReason(cause)
    return new LatchkeyError('request/failed', { method, code, reason }, { cause })
  }

  return {
    request: (args) => within(isRead(args.method) ? patience.read : patience.approval, args),
    probe: () => within(patience.probe, { method: 'eth_accounts' }),
    isPermitted: () =>
      within(patience.remark, { method: 'wallet_getPermissions' })
        .then(readPermission)
        .catch(() => undefined),
    abandon: () => {
      for (const end of underWay) end()
    },
  }
}

/** Whether accounts are among the permissions of a page. */
function readPermission(permissions: unknown): boolean | undefined {
  if (!Array.isArray(permissions)) return undefined
  return permissions.some((each: unknown) => Object(each).parentCapability === 'eth_accounts')
}

function isRead(method: string): boolean {
  return classifyMethod(method) === 'safe'
}
