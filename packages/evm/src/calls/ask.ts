import type { Connection } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'

/** How wallets say that they do not have a method: EIP-1193, JSON-RPC, EIP-1474. */
const unsupportedCodes: readonly (number | undefined)[] = [4200, -32_601, -32_004]

/** The part of a connection that is needed to ask. */
type Asked = Pick<Connection, 'provider' | 'wallet'>

/**
 * Asks a wallet for what not every wallet can do.
 *
 * @returns plain data, which may be looked at without running code of the wallet
 * @throws LatchkeyError `request/not-allowed` when it has no such method.
 */
export async function ask(asked: Asked, method: string, params: unknown): Promise<unknown> {
  try {
    return plain(await asked.provider.request({ method, params }), () => nonsense(asked, method))
  } catch (error) {
    if (!isLatchkeyError(error, 'request/failed') || !unsupportedCodes.includes(error.context.code)) throw error
    throw new LatchkeyError('request/not-allowed', { method }, { cause: error })
  }
}

/** An answer as it would come over a wire: a wallet of the page may give objects that throw, or change. */
function plain(answer: unknown, failure: () => LatchkeyError): unknown {
  if (answer === undefined) return undefined
  try {
    return JSON.parse(JSON.stringify(answer))
  } catch {
    throw failure()
  }
}

/** What a wallet answered made no sense. */
export function nonsense({ wallet }: Pick<Connection, 'wallet'>, method: string): LatchkeyError {
  return new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
}

/** An object whose fields may be looked at, none of which is known to be there. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
