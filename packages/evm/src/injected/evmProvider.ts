import { createPendingRequests, getErrorReason } from '@latchkey/adapter-kit'
import type { Clock, Provider } from '@latchkey/core'
import { walletTimeouts } from '@latchkey/core/internal'
import { classifyMethod, getField, walletError, type LatchkeyError, requestError } from '@latchkey/protocol'
import type { Eip1193Provider } from './eip1193Provider.ts'
import { getEip1193ErrorCode, isEip1193Rejection } from './isEip1193Rejection.ts'

/** Timeout for a wallet to show that it is still in the page, in milliseconds. */
const probeTimeoutMs = 2_000
/** Timeout of a response that a wallet may omit, in milliseconds. */
const optionalTimeoutMs = 500

/** A provider whose requests always end: with a response, or with an error. */
export type EvmProvider = Provider & {
  /** Requests the accounts (`eth_accounts`) to find out if the wallet is still there. */
  probe(): Promise<unknown>
  /**
   * True if the site may see accounts, even if the wallet shows none because it is locked (EIP-2255). `undefined` if the
   * wallet does not say.
   */
  isPermitted(): Promise<boolean | undefined>
  /** Ends all pending requests, because the wallet is gone. */
  abandon(): void
}

type RequestArguments = { method: string; params?: unknown }

/** Adds time limits and the errors of Latchkey to a wallet's provider. */
export function createEvmProvider(provider: Eip1193Provider, wallet: string, clock: Clock): EvmProvider {
  const pending = createPendingRequests(clock)

  async function send(args: RequestArguments): Promise<unknown> {
    try {
      return await provider.request(args)
    } catch (cause) {
      throw toEvmRequestError(args.method, wallet, cause)
    }
  }

  /** A read without a response had no effect. The wallet may have carried out any other request. */
  function lost(method: string): LatchkeyError {
    return isRead(method) ? walletError('wallet/unavailable', { wallet }) : requestError('request/unknown', { method })
  }

  const request = (args: RequestArguments, timeoutMs: number): Promise<unknown> =>
    pending.run(() => send(args), { timeoutMs, lost: () => lost(args.method) })

  return {
    request: (args) => request(args, isRead(args.method) ? walletTimeouts.read : walletTimeouts.approval),
    probe: () => request({ method: 'eth_accounts' }, probeTimeoutMs),
    isPermitted: () =>
      request({ method: 'wallet_getPermissions' }, optionalTimeoutMs)
        .then(hasAccountsPermission)
        .catch(() => undefined),
    abandon: pending.abandon,
  }
}

function toEvmRequestError(method: string, wallet: string, cause: unknown): LatchkeyError {
  if (isEip1193Rejection(cause)) return requestError('request/rejected', { method }, { cause })
  const code = getEip1193ErrorCode(cause)
  if (code === 4900 || code === 4901) return walletError('wallet/unavailable', { wallet }, { cause })
  const reason = code === -32_002 ? 'an earlier request is still open in the wallet' : getErrorReason(cause)
  return requestError('request/failed', { method, code, reason }, { cause })
}

function hasAccountsPermission(permissions: unknown): boolean | undefined {
  if (!Array.isArray(permissions)) return undefined
  return permissions.some((permission: unknown) => getField(permission, 'parentCapability') === 'eth_accounts')
}

function isRead(method: string): boolean {
  return classifyMethod(method) === 'safe'
}
