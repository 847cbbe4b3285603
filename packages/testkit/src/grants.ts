import { isRecord } from './chainRpc.ts'
import { invalid } from './signing.ts'

/** The permissions to act for an account that a wallet granted (ERC-7715). */
export type Grants = {
  /** Grants what is asked for, as it is asked for. */
  grant(request: unknown): object
  /** @throws RpcError -32602 when there is no such permission. */
  revoke(context: string): void
}

export function createGrants(): Grants {
  const contexts = new Set<string>()
  return {
    grant(request) {
      if (!isRecord(request) || typeof request['expiry'] !== 'number') throw invalid('A permission has an expiry.')
      const context = `0x${crypto.randomUUID().replaceAll('-', '')}`
      contexts.add(context)
      return { ...request, context }
    },
    revoke(context) {
      if (!contexts.delete(context)) throw invalid('There is no such permission.')
    },
  }
}
