import type { Connection } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'

/** How wallets say that they do not have a method: EIP-1193, JSON-RPC, EIP-1474. */
const unsupportedCodes: readonly (number | undefined)[] = [4200, -32_601, -32_004]

/**
 * Asks a wallet for what not every wallet can do.
 *
 * @throws LatchkeyError `request/not-allowed` when it has no such method.
 */
export async function ask({ provider }: Pick<Connection, 'provider'>, method: string, params: unknown): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (error) {
    if (!isLatchkeyError(error, 'request/failed') || !unsupportedCodes.includes(error.context.code)) throw error
    throw new LatchkeyError('request/not-allowed', { method }, { cause: error })
  }
}

/** What a wallet answered made no sense. */
export function nonsense({ wallet }: Connection, method: string): LatchkeyError {
  return new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
}

/** An object whose fields may be looked at, none of which is known to be there. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
