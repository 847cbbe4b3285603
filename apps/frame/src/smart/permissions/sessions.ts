import { RpcError } from '../../chain/rpcError.ts'
import { isRecord } from '../../services/ask.ts'
import type { Typed } from './terms.ts'

/** The list of permissions that the server keeps for everybody to see: `/v1/sessions`. */
export type Sessions = {
  /** Enters a permission. @returns the server's name for it. @throws RpcError -32603 */
  enter(account: string, context: string, terms: SessionTerms): Promise<string>
  /** Whether a permission is in force, by the list. @throws RpcError -32603 when nobody can tell */
  isInForce(account: string, pci: string, context: string): Promise<boolean>
  /** Takes a permission off. `sign` signs for the account. @throws RpcError -32603 */
  revoke(account: string, pci: string, sign: (message: string) => Promise<string>): Promise<void>
}

export type SessionTerms = {
  readonly expiry: number
  readonly signer: Typed
  readonly permissions: readonly Typed[]
  readonly policies: readonly Typed[]
}

export type SessionsParts = {
  /** Of the server, without a slash at its end. */
  readonly url: string
  readonly projectId: string
  /** The platform's when left out. */
  readonly load?: typeof fetch
}

const patience = 10_000

/** Makes the way to the list. Accounts are CAIP-10 ids. */
export function createSessions({
  url,
  projectId,
  load = (input, init) => fetch(input, init),
}: SessionsParts): Sessions {
  async function ask(path: string, query: Readonly<Record<string, string>>, body?: object): Promise<Answer> {
    const search = new URLSearchParams({ projectId, v: '2', ...query })
    try {
      const response = await load(`${url}/v1/sessions/${path}?${search.toString()}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(patience),
      })
      const answer: unknown = await response.json()
      if (!isRecord(answer) || response.status >= 500 || response.status === 429) throw new Error('no answer')
      return { ok: response.ok, answer }
    } catch (cause) {
      throw new RpcError(-32_603, 'The list of permissions cannot be reached. Try again.', { cause })
    }
  }
  async function must(path: string, body: object): Promise<Record<string, unknown>> {
    const { ok, answer } = await ask(path, {}, body)
    if (!ok) throw new RpcError(-32_603, `The list of permissions refused: ${reasonOf(answer)}`)
    return answer
  }

  return {
    async enter(account, context, terms) {
      const { pci } = await must(encodeURIComponent(account), terms)
      if (typeof pci !== 'string') throw new RpcError(-32_603, 'The list of permissions did not answer.')
      await must(`${encodeURIComponent(account)}/activate`, { ...terms, pci, context })
      return pci
    },
    async isInForce(account, pci, context) {
      const { ok, answer } = await ask(`${encodeURIComponent(account)}/getcontext`, { pci })
      return ok && answer['context'] === context
    },
    async revoke(account, pci, sign) {
      const signature = await sign(`Revoke the permission ${pci} of ${account}.`)
      await must(`${encodeURIComponent(account)}/revoke`, { pci, signature })
    },
  }
}

type Answer = { readonly ok: boolean; readonly answer: Record<string, unknown> }

function reasonOf({ reasons }: Record<string, unknown>): string {
  const [reason] = Array.isArray(reasons) ? (reasons as readonly unknown[]) : []
  const description = isRecord(reason) ? reason['description'] : undefined
  return typeof description === 'string' ? description.slice(0, 200) : 'it did not say why'
}
