import { domainToASCII } from 'node:url'
import { Problem } from '../kit/problem.ts'

/** An e-mail address that mail can be sent to, and the form by which an account is found. */
export type EmailAddress = {
  /** As it was typed, with the domain as the mail system writes it. */
  readonly send: string
  /** Lower-case throughout: one mailbox, one account. Dots and `+` stay, for nobody but the provider knows what they mean. */
  readonly index: string
  readonly domain: string
}

const localLength = 64
const wholeLength = 254
/** The characters of RFC 5321 that need no quotes, and letters of any script (RFC 6531). */
const local = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const typed = /^[\p{L}\p{M}\p{N}.-]+$/u
const domainLabel = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * Reads an e-mail address.
 *
 * @throws Problem 400 `email` for whatever could be read in two ways: other forms of the same letters, quotes, line ends,
 *   addresses of machines.
 * @example readEmail('Ann@Example.org').index // 'ann@example.org'
 */
export function readEmail(text: string): EmailAddress {
  const [name, typedDomain, ...rest] = text.split('@')
  if (name === undefined || typedDomain === undefined || rest.length > 0) throw notAnEmail()
  if (text.length > wholeLength || name.length > localLength || text.normalize('NFKC') !== text) throw notAnEmail()
  if (!typed.test(typedDomain)) throw notAnEmail()
  const domain = domainToASCII(typedDomain)
  const labels = domain.split('.')
  const isNamed = labels.length > 1 && labels.every((label) => domainLabel.test(label))
  if (!local.test(name) || !isNamed || /^\d+$/.test(labels.at(-1) ?? '')) throw notAnEmail()
  const send = `${name}@${domain}`
  if (send.length > wholeLength) throw notAnEmail()
  return { send, index: send.toLowerCase(), domain }
}

function notAnEmail(): Problem {
  return new Problem(400, 'email', 'This is not an e-mail address. Look for a typing error.')
}
