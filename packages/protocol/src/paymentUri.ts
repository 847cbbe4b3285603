import type { ChainId } from './caip/accountId.ts'
import { createErrors } from './errors.ts'
import type { Network } from './network.ts'

const paymentError = createErrors({
  'payment-uri/invalid': ({ reason }) => `The payment link is invalid: ${reason}.`,
})

/** A payment request in the terms of its namespace. */
export type PaymentUri =
  | {
      readonly namespace: 'eip155'
      /** An address or an ENS name. */
      readonly to: string
      /** Default: the payer's current network. */
      readonly chainId?: ChainId
      /** A token contract. Default: the native currency. */
      readonly token?: string
      /** The amount in base units. */
      readonly units?: bigint
    }
  | {
      readonly namespace: 'solana'
      readonly to: string
      /** A token mint. Default: SOL. */
      readonly token?: string
      /** The amount in whole units, as decimal string. */
      readonly amount?: string
      /** Reference accounts that identify the payment on the chain. */
      readonly references?: readonly string[]
      readonly label?: string
      readonly message?: string
      readonly memo?: string
    }
  | {
      readonly namespace: 'bip122'
      readonly to: string
      /** The amount in bitcoin, as decimal string. */
      readonly amount?: string
      readonly label?: string
      readonly message?: string
    }

type PaymentUriOf<namespace extends PaymentUri['namespace']> = Extract<PaymentUri, { namespace: namespace }>

/**
 * Formats the payment URI of an address for a QR code (ERC-681, Solana Pay or BIP-21). Namespaces without such a
 * standard use the plain address.
 *
 * @example formatReceiveUri(network, address) // 'ethereum:0xab16…@1'
 */
export function formatReceiveUri({ chainNamespace, caipNetworkId }: Network, address: string): string {
  switch (chainNamespace) {
    case 'eip155':
      return write({ namespace: 'eip155', to: address, chainId: caipNetworkId })
    case 'solana':
    case 'bip122':
      return write({ namespace: chainNamespace, to: address })
    default:
      return address
  }
}

/** A request for an exact amount. */
export type PaymentRequest = {
  /** A plain address of the network. */
  readonly to: string
  /** The plain address of a token. Defaults to the native currency. */
  readonly token?: string
  /** The amount in base units. */
  readonly units: bigint
  /** The same amount in whole units, as decimal string. */
  readonly amount: string
}

/**
 * Formats a link that requests an exact amount on a network (ERC-681, Solana Pay or BIP-321).
 *
 * @returns undefined in namespaces without such a standard
 * @throws LatchkeyError `payment-uri/invalid` if the fields do not form a valid link
 * @example formatPaymentRequest(network, { to: address, units: 10n ** 18n, amount: '1' }) // 'ethereum:0xab16…@1?value=1…'
 */
export function formatPaymentRequest(
  { chainNamespace: namespace, caipNetworkId: chainId }: Network,
  { to, token, units, amount }: PaymentRequest,
): string | undefined {
  switch (namespace) {
    case 'eip155':
      return formatPaymentUri({ namespace, to, chainId, token, units })
    case 'solana':
      return formatPaymentUri({ namespace, to, token, amount })
    case 'bip122':
      return formatPaymentUri({ namespace, to, amount })
    default:
      return undefined
  }
}

/**
 * Returns `true` if an address belongs to the same owner on both networks. That is not the case in namespaces whose
 * address format depends on the network.
 *
 * @example if (sharesAddresses(network, otherNetwork)) console.log('same address')
 */
export function sharesAddresses(one: Network, other: Network): boolean {
  if (one.caipNetworkId === other.caipNetworkId) return true
  return one.chainNamespace === other.chainNamespace && ['eip155', 'solana'].includes(one.chainNamespace)
}

/**
 * Formats a payment URI.
 *
 * @throws LatchkeyError `payment-uri/invalid` if the fields do not form a valid URI
 * @example formatPaymentUri({ namespace: 'bip122', to: 'bc1q…', amount: '0.1' }) // 'bitcoin:bc1q…?amount=0.1'
 */
export function formatPaymentUri(payment: PaymentUri): string {
  const uri = write(payment)
  // Reject URIs that would parse to a different recipient.
  if (parsePaymentUri(uri).to !== payment.to) throw invalidPaymentUri('it names no address')
  return uri
}

function write(payment: PaymentUri): string {
  switch (payment.namespace) {
    case 'eip155':
      return writeEthereum(payment)
    case 'solana': {
      const { to, amount, token, references = [], label, message, memo } = payment
      return `solana:${to}${query([
        ['amount', amount],
        ['spl-token', token],
        ...references.map((reference) => ['reference', reference] as const),
        ['label', label],
        ['message', message],
        ['memo', memo],
      ])}`
    }
    case 'bip122': {
      const { to, amount, label, message } = payment
      return `bitcoin:${to}${query([
        ['amount', amount],
        ['label', label],
        ['message', message],
      ])}`
    }
  }
}

function writeEthereum({ to, chainId, token, units }: PaymentUriOf<'eip155'>): string {
  const at = chainId === undefined ? '' : `@${chainId.slice(chainId.indexOf(':') + 1)}`
  if (token === undefined) return `ethereum:${to}${at}${query([['value', units?.toString()]])}`
  return `ethereum:${token}${at}/transfer${query([
    ['address', to],
    ['uint256', units?.toString()],
  ])}`
}

function query(entries: ReadonlyArray<readonly [key: string, value: string | undefined]>): string {
  const written = entries.flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return written.length === 0 ? '' : `?${written.join('&')}`
}

/**
 * Parses a payment URI. Checks only the format of addresses. The adapter verifies checksums.
 *
 * @throws LatchkeyError `payment-uri/invalid` with the reason.
 * @example const { to } = parsePaymentUri('ethereum:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb@137?value=1e18')
 */
export function parsePaymentUri(text: string): PaymentUri {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.+)$/is.exec(text) ?? []
  const mark = rest.indexOf('?')
  const target = mark === -1 ? rest : rest.slice(0, mark)
  const parameters = readQuery(mark === -1 ? '' : rest.slice(mark + 1))
  switch (scheme.toLowerCase()) {
    case 'ethereum':
      return readEthereum(target, parameters)
    case 'solana':
      return readSolana(target, parameters)
    case 'bitcoin':
      return readBitcoin(target, parameters)
    default:
      throw invalidPaymentUri('its beginning is not known')
  }
}

type Parameters = ReadonlyArray<readonly [key: string, value: string]>

function readQuery(text: string): Parameters {
  if (text === '') return []
  return text.split('&').map((part) => {
    const equals = part.indexOf('=')
    const [key, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
    // QR codes of upper-case text are smaller, and keys of BIP-321 match in any case. An amount must not get lost.
    return [decode(key).toLowerCase(), decode(value)] as const
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidPaymentUri('it is badly encoded')
  }
}

/** Returns the value of a parameter that must not repeat. */
function getSingleParameter(parameters: Parameters, key: string): string | undefined {
  const [first, ...more] = parameters.filter(([name]) => name === key)
  if (more.length > 0) throw invalidPaymentUri(`${key} stands there twice`)
  return first?.[1]
}

const address = '0[xX][0-9a-fA-F]{40}'
const ensName = '[^\\s@/?.:]+(?:\\.[^\\s@/?.:]+)+'
const ethereumTarget = new RegExp(`^(?:pay-|PAY-)?(${address}|${ensName})(?:@(\\d{1,32}))?(?:/([A-Za-z_]\\w*))?$`, 'u')
const ethereumPayee = new RegExp(`^(?:${address}|${ensName})$`, 'u')

function readEthereum(target: string, parameters: Parameters): PaymentUri {
  const [, payee, reference, named] = ethereumTarget.exec(decode(target)) ?? []
  if (payee === undefined) throw invalidPaymentUri('it names no address')
  const [at, call] = [withPrefix(payee), named === 'TRANSFER' ? 'transfer' : named]
  const chain = reference === undefined ? {} : { chainId: `eip155:${BigInt(reference)}` as const }
  if (call === undefined)
    return { namespace: 'eip155', to: at, ...chain, ...unitsOf(getSingleParameter(parameters, 'value')) }
  if (call !== 'transfer') throw invalidPaymentUri(`it asks for ${call.slice(0, 40)}, which is not a payment`)
  // Native currency sent with a token transfer would be lost in the token contract.
  if (getSingleParameter(parameters, 'value') !== undefined)
    throw invalidPaymentUri('it asks to pay a token and coins at once')
  const to = getSingleParameter(parameters, 'address')
  if (to === undefined || !ethereumPayee.test(to)) throw invalidPaymentUri('it names no recipient')
  return {
    namespace: 'eip155',
    to: withPrefix(to),
    ...chain,
    token: at,
    ...unitsOf(getSingleParameter(parameters, 'uint256')),
  }
}

/** Lowers the prefix of an upper-case address. */
function withPrefix(payee: string): string {
  return payee.replace(/^0X/, '0x')
}

/** Parses an ERC-681 number. `2.014e18` and `.5e18` are valid integers, `0.5` is not. */
function unitsOf(text: string | undefined): { units?: bigint } {
  if (text === undefined) return {}
  const [, whole, fraction = '', power = '0'] =
    /^\+?(?=\.?\d)(\d{0,78})(?:\.(\d{1,78}))?(?:e(\d{1,2}))?$/i.exec(text) ?? []
  if (whole === undefined) throw invalidPaymentUri('its amount is not a number')
  const places = Number(power)
  const needed = fraction.replace(/0+$/, '')
  if (needed.length > places) throw invalidPaymentUri('its amount has parts of what has no parts')
  const units = BigInt(whole + needed.padEnd(places, '0'))
  if (units >= 1n << 256n) throw invalidPaymentUri('its amount is larger than any')
  return { units }
}

const base58Key = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const solDecimals = 9

function readSolana(to: string, parameters: Parameters): PaymentUri {
  // A web address here requests an arbitrary transaction, not a payment.
  if (!base58Key.test(to)) throw invalidPaymentUri('it names no address')
  const token = getSingleParameter(parameters, 'spl-token')
  const references = parameters.filter(([key]) => key === 'reference').map(([, value]) => value)
  if (![token ?? to, ...references].every((key) => base58Key.test(key)))
    throw invalidPaymentUri('it names an unknown account')
  const amount = amountOf(parameters, token === undefined ? solDecimals : undefined)
  return {
    namespace: 'solana',
    to,
    ...(token === undefined ? {} : { token }),
    ...amount,
    ...(references.length === 0 ? {} : { references }),
    ...textsOf(parameters, ['label', 'message', 'memo']),
  }
}

const bitcoinAddress =
  /^(?:[1-9A-HJ-NP-Za-km-z]{25,62}|(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{8,90}|(?:BC|TB|BCRT)1[02-9AC-HJ-NP-Z]{8,90})$/
const bitcoinDecimals = 8

/** BIP-321: the address follows the scheme, or is the parameter of its network. */
function readBitcoin(target: string, parameters: Parameters): PaymentUri {
  const to = ['bc', 'tb', 'bcrt'].reduce((found, key) => found || (getSingleParameter(parameters, key) ?? ''), target)
  if (!bitcoinAddress.test(to)) throw invalidPaymentUri('it names no address')
  // Reject URIs with unknown required parameters.
  const required = parameters.find(([key]) => key.startsWith('req-'))
  if (required !== undefined) throw invalidPaymentUri(`it requires ${required[0].slice(0, 40)}`)
  const amount = amountOf(parameters, bitcoinDecimals, { mayOmitZero: true })
  return { namespace: 'bip122', to, ...amount, ...textsOf(parameters, ['label', 'message']) }
}

/**
 * Parses a decimal amount that has no more places than the currency. BIP-321 allows `.5` and `5.`, Solana Pay requires the
 * digit before the point.
 */
function amountOf(
  parameters: Parameters,
  decimals: number | undefined,
  { mayOmitZero = false }: { mayOmitZero?: boolean } = {},
): { amount?: string } {
  const written = getSingleParameter(parameters, 'amount')
  if (written === undefined) return {}
  const amount = mayOmitZero ? written.replace(/^\.(?=\d)/, '0.').replace(/(?<=\d)\.$/, '') : written
  const match = /^\d{1,40}(?:\.(\d{1,40}))?$/.exec(amount)
  if (match === null) throw invalidPaymentUri('its amount is not a decimal number')
  const [, places = ''] = match
  if (decimals !== undefined && places.length > decimals) throw invalidPaymentUri('its amount is finer than there is')
  return { amount }
}

function textsOf<key extends string>(parameters: Parameters, keys: readonly key[]): { [each in key]?: string } {
  const texts: { [each in key]?: string } = {}
  for (const key of keys) {
    const text = getSingleParameter(parameters, key)
    if (text !== undefined) texts[key] = text
  }
  return texts
}

function invalidPaymentUri(reason: string): Error {
  return paymentError('payment-uri/invalid', { reason })
}
