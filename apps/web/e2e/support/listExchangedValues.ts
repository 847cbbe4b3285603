import type { Request } from '@playwright/test'

/** A value of an exchange and its field name. Pages may know open values. */
export type ExchangedValue = { readonly name: string; readonly value: string; readonly isOpen: boolean }

/** Shorter strings may appear anywhere by chance. */
const shortest = 20
/** Fields that pages may know: the identity and its current address, the URL where a login continues, the nonce that the provider signs, and the error. */
const open: ReadonlySet<string> = new Set([
  'uri',
  'url',
  'email',
  'current',
  'userName',
  'origin',
  'nonce',
  'address',
  'description',
])
const services = /^\/(auth|shares)\//

/** The long strings of one exchange between the frame and its services: tokens, shares, keys, proofs and open values. */
export async function listExchangedValues(request: Request): Promise<readonly ExchangedValue[]> {
  if (!services.test(new URL(request.url()).pathname)) return []
  // The window of a login closes itself, with the responses that it has not read yet.
  const response = await request.response().catch(() => null)
  const result = await response?.text().catch(() => '')
  const { authorization = '', dpop = '' } = request.headers()
  const headers = [
    { name: 'authorization', value: authorization.replace('DPoP ', ''), isOpen: false },
    { name: 'dpop', value: dpop, isOpen: false },
  ]
  const bodies = [request.postData() ?? '', result ?? ''].flatMap(leavesOf)
  return [...headers, ...bodies].filter(({ value, isOpen }) => isOpen || value.length >= shortest)
}

function leavesOf(json: string): readonly ExchangedValue[] {
  const leaves: ExchangedValue[] = []
  try {
    JSON.parse(json, (name, value: unknown) => {
      if (typeof value === 'string') leaves.push({ name, value, isOpen: open.has(name) })
      return value
    })
  } catch {
    // A page, or nothing.
  }
  return leaves
}
