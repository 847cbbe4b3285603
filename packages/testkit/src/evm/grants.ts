import { isRecord } from '@latchkey/protocol'
import { invalidParams } from './signing.ts'

/** Execution permissions that a wallet granted (ERC-7715). */
export type Grants = {
  /** Grants the permission exactly as requested. */
  grant(request: unknown): object
  /** @throws RpcError -32602 if the permission is unknown */
  revoke(context: string): void
}

/** Creates the permissions of a wallet (ERC-7715), none of them granted. */
export function createGrants(): Grants {
  const contexts = new Set<string>()
  return {
    grant(request) {
      if (!isRecord(request) || typeof request['expiry'] !== 'number')
        throw invalidParams('A permission has an expiry.')
      const context = `0x${crypto.randomUUID().replaceAll('-', '')}`
      contexts.add(context)
      return { ...request, context }
    },
    revoke(context) {
      if (!contexts.delete(context)) throw invalidParams('There is no such permission.')
    },
  }
}
