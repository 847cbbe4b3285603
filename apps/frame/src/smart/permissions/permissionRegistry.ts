import { isRecord } from '@latchkey/protocol'
import { RpcError } from '../../chain/rpcError.ts'
import { findSealedOrigin } from '../findSealedOrigin.ts'
import type { Typed } from './permissionRequest.ts'
import { getMember } from '../../platform/getMember.ts'

/** The server's public registry of permissions: `/v1/sessions`. */
export type PermissionRegistry = {
  /** Registers a permission. @returns the server's id @throws RpcError -32603 */
  enter(account: string, context: string, terms: RegisteredPermission): Promise<string>
  /** Lists the permissions that were not revoked. Anyone can register one, so each has to be verified. */
  list(account: string): Promise<readonly RegistryEntry[]>
  /** True if the registry lists the permission. @throws RpcError -32603 if the registry can't be reached */
  isInForce(account: string, pci: string, context: string): Promise<boolean>
  /** Revokes a permission. `sign` signs for the account. @throws RpcError -32603 */
  revoke(account: string, pci: string, sign: (message: string) => Promise<string>): Promise<void>
}

/** An entry of the registry, as anyone may have written it. */
export type RegistryEntry = {
  readonly context: string
  /** Origin of the page that got the permission, sealed by the wallet. */
  readonly sealedOrigin: Uint8Array | undefined
}

export type RegisteredPermission = {
  readonly expiry: number
  readonly signer: Typed
  readonly permissions: readonly Typed[]
  readonly policies: readonly Typed[]
}

export type PermissionRegistryOptions = {
  /** URL of the server without a trailing slash. */
  readonly url: string
  readonly projectId: string
  /** Default: `fetch`. */
  readonly load?: typeof fetch
}

const timeoutMs = 10_000

/** Formats an account as the registry expects it. */
export function permissionAccountId({
  chainId,
  account,
}: {
  readonly chainId: string
  readonly account: string
}): string {
  return `${chainId}:${account.toLowerCase()}`
}

/** Creates the client of the registry. Accounts are CAIP-10 ids. */
export function createPermissionRegistry({
  url,
  projectId,
  load = (input, init) => fetch(input, init),
}: PermissionRegistryOptions): PermissionRegistry {
  async function request(
    path: string,
    query: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<RegistryResponse> {
    const search = new URLSearchParams({ projectId, v: '2', ...query })
    try {
      const response = await load(`${url}/v1/sessions/${path}?${search.toString()}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const content: unknown = await response.json()
      if (!isRecord(content) || response.status >= 500 || response.status === 429) throw new Error('invalid response')
      return { ok: response.ok, content }
    } catch (cause) {
      throw new RpcError(-32_603, 'The permission registry cannot be reached. Try again.', { cause })
    }
  }
  async function postOrThrow(path: string, body: object): Promise<Record<string, unknown>> {
    const { ok, content } = await request(path, {}, body)
    if (!ok) throw new RpcError(-32_603, `The permission registry refused: ${refusalReason(content)}`)
    return content
  }

  return {
    async enter(account, context, terms) {
      const { pci } = await postOrThrow(encodeURIComponent(account), terms)
      if (typeof pci !== 'string') throw new RpcError(-32_603, 'The permission registry sent an invalid response.')
      await postOrThrow(`${encodeURIComponent(account)}/activate`, { ...terms, pci, context })
      return pci
    },
    async list(account) {
      const { ok, content } = await request(encodeURIComponent(account), {})
      const { pcis } = content
      if (!ok || !Array.isArray(pcis)) throw new RpcError(-32_603, 'The permission registry sent an invalid response.')
      return (pcis as readonly unknown[]).flatMap((entry): readonly RegistryEntry[] => {
        const context = getMember(entry, 'context')
        if (getMember(entry, 'revokedAt') !== null || typeof context !== 'string') return []
        return [{ context, sealedOrigin: findSealedOrigin(getMember(entry, 'policies')) }]
      })
    },
    async isInForce(account, pci, context) {
      const { ok, content } = await request(`${encodeURIComponent(account)}/getcontext`, { pci })
      return ok && content['context'] === context
    },
    async revoke(account, pci, sign) {
      const signature = await sign(`Revoke the permission ${pci} of ${account}.`)
      await postOrThrow(`${encodeURIComponent(account)}/revoke`, { pci, signature })
    },
  }
}

type RegistryResponse = { readonly ok: boolean; readonly content: Record<string, unknown> }

function refusalReason({ reasons }: Record<string, unknown>): string {
  const [reason] = Array.isArray(reasons) ? (reasons as readonly unknown[]) : []
  const description = isRecord(reason) ? reason['description'] : undefined
  return typeof description === 'string' ? description.slice(0, 200) : 'no reason given'
}
