import { domainToASCII } from 'node:url'
import { Problem } from '../../kit/http/problem.ts'

/** An e-mail address, for sending and for finding the account. */
export type EmailAddress = {
  /** As typed, with the domain in ASCII (IDNA). */
  readonly send: string
  /** Lower case: one account per mailbox. Dots and `+` stay, because their meaning depends on the provider. */
  readonly index: string
  readonly domain: string
}

const maxLocalLength = 64
const maxLength = 254
/** The characters of RFC 5321 that need no quotes, plus letters of any script (RFC 6531). */
const local = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const typed = /^[\p{L}\p{M}\p{N}.-]+$/u
const domainLabel = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * Parses an e-mail address.
 *
 * @throws Problem 400 `email` for an address that two programs could read differently: letters that are not in NFKC form,
 *   quotes, line ends, IP addresses
 * @example parseEmailAddress('Ann@Example.org').index // 'ann@example.org'
 */
export function parseEmailAddress(text: string): EmailAddress {
  const [name, typedDomain, ...rest] = text.split('@')
  if (name === undefined || typedDomain === undefined || rest.length > 0) throw invalidEmail()
  if (text.length > maxLength || name.length > maxLocalLength || text.normalize('NFKC') !== text) throw invalidEmail()
  if (!typed.test(typedDomain)) throw invalidEmail()
  const domain = domainToASCII(typedDomain)
  const labels = domain.split('.')
  const isNamed = labels.length > 1 && labels.every((label) => domainLabel.test(label))
  if (!local.test(name) || !isNamed || /^\d+$/.test(labels.at(-1) ?? '')) throw invalidEmail()
  const send = `${name}@${domain}`
  if (send.length > maxLength) throw invalidEmail()
  return { send, index: send.toLowerCase(), domain }
}

function invalidEmail(): Problem {
  return new Problem(400, 'email', 'This is not a valid e-mail address. Check it for typing errors.')
}
