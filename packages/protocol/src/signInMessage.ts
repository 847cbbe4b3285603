import { createErrors, type LatchkeyError } from './errors.ts'
import { isNamespace, namespaces, type Namespace } from './namespaces.ts'
import type { SignInMessage } from './signIn.ts'

/** The names of namespaces in signed messages. Others use their namespace, capitalised. */
const accountNames: { readonly [namespace in Namespace]?: string } = {
  eip155: 'Ethereum',
  solana: 'Solana',
  polkadot: 'Polkadot',
  bip122: 'Bitcoin',
}

function formatAccountName(namespace: Namespace): string {
  return accountNames[namespace] ?? namespace.charAt(0).toUpperCase() + namespace.slice(1)
}

const makeError = createErrors({
  'sign-in/invalid': ({ reason }) => `The sign-in is invalid: ${reason}.`,
})

const header = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\S+) wants you to sign in with your (\w+) account:$/i
const authority = /^(?:[\w\-.~!$&'()*+,;=:%]*@)?(?:\[[\da-f:.]+\]|[\w\-.~!$&'()*+,;=%]+)(?::\d*)?$/i
const uri = /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})*$/i
const printable = /^[\u0020-\u007e]+$/
const nonce = /^[a-zA-Z0-9]{8,}$/
const requestId = /^(?:[\w\-.~!$&'()*+,;=:@]|%[\da-f]{2})*$/i
const time = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i
const reference = /^[-_a-zA-Z0-9]{1,32}$/
const address = /^[-.%a-zA-Z0-9]{1,128}$/

/**
 * Formats a sign-in as the message to sign (CAIP-122, and EIP-4361 for eip155).
 *
 * @throws LatchkeyError `sign-in/invalid` if a field is missing or contains a line break, which could inject other fields
 * @example const text = formatSignInMessage({ ...signInMessage, chainId: 'eip155:1' })
 */
export function formatSignInMessage(message: Omit<SignInMessage, 'version'> & { version: string }): string {
  const { scheme, domain, chainId, accountAddress, statement, resources } = message
  const [namespace = '', chain = ''] = chainId.split(':')
  if (!isNamespace(namespace)) throw invalidSignIn(`sign-in is not supported on "${chainId}"`)
  const fields: unknown[] = [domain, accountAddress, message.uri, message.version, message.nonce, message.issuedAt]
  if (fields.some((part) => typeof part !== 'string')) throw invalidSignIn('a part of it is missing')
  const lines = [
    `${scheme === undefined ? '' : `${scheme}://`}${domain} wants you to sign in with your ${formatAccountName(namespace)} account:`,
    accountAddress,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    `URI: ${message.uri}`,
    `Version: ${message.version}`,
    `Chain ID: ${chain}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
    ...(message.expirationTime === undefined ? [] : [`Expiration Time: ${message.expirationTime}`]),
    ...(message.notBefore === undefined ? [] : [`Not Before: ${message.notBefore}`]),
    ...(message.requestId === undefined ? [] : [`Request ID: ${message.requestId}`]),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((resource) => `- ${resource}`)]),
  ]
  if (lines.some((line) => /[\n\r]/.test(line))) throw invalidSignIn('a part of it has a line break')
  return lines.join('\n')
}

/**
 * Parses the message of a sign-in. Each field must be valid and in its place, and no other text is allowed.
 *
 * @throws LatchkeyError `sign-in/invalid` with the reason
 * @example const { nonce } = parseSignInMessage(text)
 */
export function parseSignInMessage(text: string): SignInMessage {
  const lines = text.split('\n')
  const [, scheme, domain = '', family] = header.exec(lines.shift() ?? '') ?? []
  const namespace = namespaces.find((name) => formatAccountName(name) === family)
  if (namespace === undefined) throw invalidSignIn('its first line is another')
  const accountAddress = lines.shift() ?? ''
  const [, statement] = lines.splice(0, lines[1] === '' ? 2 : 3)
  const take = (label: string): string | undefined =>
    lines[0]?.startsWith(`${label}: `) === true ? lines.shift()?.slice(label.length + 2) : undefined
  const read = {
    ...omitUndefined({ scheme }),
    domain,
    accountAddress,
    ...omitUndefined({ statement: statement === '' ? undefined : statement }),
    uri: take('URI') ?? '',
    version: take('Version'),
    chainId: `${namespace}:${take('Chain ID') ?? ''}`,
    nonce: take('Nonce') ?? '',
    issuedAt: take('Issued At') ?? '',
    ...omitUndefined({
      expirationTime: take('Expiration Time'),
      notBefore: take('Not Before'),
      requestId: take('Request ID'),
    }),
    ...(lines.shift() === 'Resources:' ? { resources: lines.map((line) => line.slice(2)) } : {}),
  } as const
  const { version } = read
  if (version !== '1') throw invalidSignIn('its version is not 1')
  const message: SignInMessage = { ...read, version }
  assertValidFields(message)
  // Text between or after the fields was never parsed, so it must not pass.
  if (formatSignInMessage(message) !== text) throw invalidSignIn('it has additional text')
  return message
}

/**
 * Asserts that a sign-in is valid.
 *
 * @throws LatchkeyError `sign-in/invalid` with the reason
 * @example checkSignInMessage(signInMessage)
 */
export function checkSignInMessage(message: SignInMessage): void {
  parseSignInMessage(formatSignInMessage(message))
}

function assertValidFields(message: SignInMessage): void {
  const { chainId, accountAddress, statement, resources = [] } = message
  const [namespace, chain = ''] = chainId.split(':')
  const isEvm = namespace === 'eip155'
  const rules: Array<[boolean, string]> = [
    [authority.test(message.domain), 'its domain is invalid'],
    [(isEvm ? /^0x[\da-f]{40}$/i : address).test(accountAddress), 'its address is invalid'],
    [statement === undefined || printable.test(statement), 'its statement is not a line of ASCII'],
    [uri.test(message.uri), 'its URI is invalid'],
    [(isEvm ? /^\d+$/ : reference).test(chain), 'its chain is invalid'],
    [nonce.test(message.nonce), 'its nonce needs at least eight letters or digits'],
    [isTime(message.issuedAt), 'its issue time is invalid'],
    [message.expirationTime === undefined || isTime(message.expirationTime), 'its expiration time is invalid'],
    [message.notBefore === undefined || isTime(message.notBefore), 'its start time is invalid'],
    [message.requestId === undefined || requestId.test(message.requestId), 'its request id has invalid characters'],
    [resources.every((resource) => uri.test(resource)), 'a resource is not a URI'],
  ]
  for (const [holds, reason] of rules) if (!holds) throw invalidSignIn(reason)
}

/** Accepts RFC 3339 times of existing days. */
function isTime(text: string): boolean {
  const [, year, month, day] = time.exec(text) ?? []
  if (day === undefined || Number.isNaN(Date.parse(text))) return false
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
}

/** Drops undefined fields, so that a parsed message equals the formatted one. */
function omitUndefined<name extends string>(fields: Record<name, string | undefined>): { [each in name]?: string } {
  // The result has a subset of the input's fields.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [each in name]?: string
  }
}

function invalidSignIn(reason: string): LatchkeyError<'sign-in/invalid'> {
  return makeError('sign-in/invalid', { reason })
}
