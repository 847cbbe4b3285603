/** What each error code carries. A new code is one line here, one sentence, one heading in docs/errors.md. */
export type Errors = {
  'account/not-found': { account: string }
  'adapter/not-found': { namespace: string }
  'address/invalid': { namespace: string; value: string }
  'amount/invalid': { value: string }
  'buy/no-page': { provider: string }
  'buy/no-quote': { provider: string }
  'buy/unsupported': { network: string }
  'caip/invalid': { kind: 'chain id' | 'account id' | 'asset id'; value: string }
  'client/closed': object
  'config/invalid': { problems: readonly string[] }
  'connection/aborted': object
  'connection/not-connected': object
  'connection/rejected': { wallet: string }
  'connection/timed-out': { wallet: string; seconds: number }
  'connector/not-found': { id: string }
  'custody/invalid-phrase': object
  'custody/invalid-share': { reason: string }
  'custody/last-way': object
  'custody/mismatch': { reason: string }
  'custody/unreadable': { what: string }
  'custody/way-needed': { method: string }
  'disconnect/failed': { reasons: readonly string[] }
  'embedded/cooldown': { seconds: number }
  'embedded/failed': { reason: string; said?: string }
  'embedded/invalid-email': object
  'embedded/popup-closed': object
  'embedded/timeout': object
  'embedded/unreachable': { origin: string }
  'history/no-account': object
  'http/invalid-answer': { what: string }
  'http/status': { status: number }
  'http/unreachable': { origin: string }
  'name/invalid': { name: string }
  'name/late': object
  'name/owned': { name: string }
  'name/refused': { reason: string }
  'name/taken': { name: string }
  'name/too-many': object
  'name/unsupported': object
  'namespace/missing': { what: string }
  'namespace/not-configured': { namespace: string }
  'network/add-refused': { network: string }
  'network/missing': object
  'network/not-found': { chainId: string }
  'network/switch-unsupported': { wallet: string }
  'network/unsupported': { chainId: string }
  'pairing/expired': object
  'pairing/invalid': { reason: string }
  'payment-uri/invalid': { reason: string }
  'project/missing': object
  'relay/refused': { reason: string }
  'relay/unreachable': { origin: string }
  'request/closed': { method: string }
  'request/expired': { method: string }
  'request/failed': { method: string; code: number | undefined; reason: string }
  'request/not-allowed': { method: string }
  'request/rejected': { method: string }
  'request/unknown': { method: string }
  'rpc/failed': { network: string; method: string; code: number | undefined; reason: string }
  'rpc/unreachable': { network: string }
  'send/incomplete': object
  'send/short': { what: 'amount' | 'fee' }
  'send/uncertain': object
  'send/unsupported': { family: string }
  'session/ended': { wallet: string }
  'session/invalid': { reason: string }
  'session/not-found': { topic: string }
  'sign-in/invalid': { reason: string }
  'sign-in/no-account': object
  'sign-in/no-network': object
  'sign-in/not-enabled': object
  'sign-in/refused': { reason: string }
  'storage/unavailable': object
  'swap/allowance-failed': { symbol: string }
  'swap/approval-failed': { symbol: string; reason: string }
  'swap/gas-price-unsupported': { network: string }
  'swap/insufficient-balance': { symbol: string }
  'swap/insufficient-gas': { symbol: string }
  'swap/insufficient-liquidity': { from: string; to: string }
  'swap/no-route': { from: string; to: string }
  'swap/price-moved': object
  'swap/quote-failed': { reason: string }
  'swap/refused': { reason: string }
  'swap/unsupported': { network: string }
  'swap/would-fail': { reason: string }
  'transaction/not-replaceable': { hash: string }
  'transaction/pending': { hash: string; seconds: number }
  'transaction/reverted': { hash: string | undefined; reason: string }
  'wallet/invalid-answer': { wallet: string; method: string }
  'wallet/locked': { wallet: string }
  'wallet/unavailable': { wallet: string }
}

/** The stable name of a failure: branch on it, never on the sentence. */
export type ErrorCode = keyof Errors

/** What is said for each of some codes. */
export type Sentences<code extends ErrorCode> = { readonly [each in code]: (context: Errors[each]) => string }

/** Codes that only the WalletConnect client uses: it says them itself. */
export type WalletConnectCode =
  | 'client/closed'
  | 'connection/timed-out'
  | 'namespace/not-configured'
  | 'network/unsupported'
  | 'pairing/expired'
  | 'pairing/invalid'
  | 'relay/refused'
  | 'relay/unreachable'
  | 'request/expired'
  | 'rpc/failed'
  | 'session/ended'
  | 'session/not-found'

/** Codes of registering names, said where that happens. */
type NameCode = Extract<ErrorCode, `name/${string}`>

/** Codes of signing in, said where that happens. */
type SignInCode = Extract<ErrorCode, `sign-in/${string}`>

/** Codes of the embedded wallet's keys, said where those are. */
type CustodyCode = Extract<ErrorCode, `custody/${string}`>

/** Codes of logins of the embedded wallet, said where those are. */
export type EmbeddedCode = Extract<ErrorCode, `embedded/${string}`>

/** Codes of payment links and of buying, said where those are. */
type PaymentCode = Extract<ErrorCode, `payment-uri/${string}` | `buy/${string}`>

/** Codes of swapping, said where that happens. */
type SwapCode = Extract<ErrorCode, `swap/${string}`>

/** Codes of payments, said where those are made. */
type SendCode = Extract<ErrorCode, `send/${string}`> | 'transaction/not-replaceable'

/** Codes that only the core throws, said where that happens. */
type CoreCode =
  | 'account/not-found'
  | 'disconnect/failed'
  | 'history/no-account'
  | 'namespace/missing'
  | 'network/missing'
  | 'request/closed'
  | 'storage/unavailable'

/** Codes that several packages use. */
type SharedCode = Exclude<
  ErrorCode,
  WalletConnectCode | SignInCode | SwapCode | NameCode | CustodyCode | EmbeddedCode | SendCode | CoreCode | PaymentCode
>

const sentences: Sentences<SharedCode> = {
  'adapter/not-found': ({ namespace }) =>
    `Adapter not found: no adapter handles "${namespace}". Pass one in createLatchkey({ adapters }).`,
  'address/invalid': ({ namespace, value }) => `"${value}" is not an address of ${namespace}.`,
  'amount/invalid': ({ value }) => `"${value}" is not a valid decimal number. Write digits, with at most one point.`,
  'caip/invalid': ({ kind, value }) => `"${value}" is not a CAIP ${kind}.`,
  'config/invalid': ({ problems }) => `The configuration has mistakes:\n- ${problems.join('\n- ')}`,
  'connection/aborted': () => 'The connection was given up before the wallet answered. Connect again when ready.',
  'connection/not-connected': () => 'No wallet is connected. Please call connect() before request().',
  'connection/rejected': ({ wallet }) => `The request was declined in ${wallet}. Try again and approve it there.`,
  'connector/not-found': ({ id }) => `No connector has the id "${id}". Is the wallet still installed?`,
  'http/invalid-answer': ({ what }) =>
    `The server gave an answer about ${what} that makes no sense. Is it a Latchkey server?`,
  'http/status': ({ status }) => `HTTP status code: ${status}`,
  'http/unreachable': ({ origin }) => `${origin} cannot be reached. Check the connection and try again.`,
  'network/add-refused': ({ network }) => `Chain is not supported: the wallet would not add ${network}.`,
  'network/not-found': ({ chainId }) => `Network Not Found: "${chainId}" is not among the configured networks.`,
  'network/switch-unsupported': ({ wallet }) =>
    `${wallet} cannot switch networks on request. Switch inside the wallet.`,
  'project/missing': () => 'Project ID Not Configured: pass projectId to createLatchkey.',
  'request/failed': ({ method, code, reason }) =>
    `The wallet could not do ${method}${code === undefined ? '' : ` (code ${code})`}: ${reason}`,
  'request/not-allowed': ({ method }) => `Requested RPC call is not allowed: ${method}`,
  'request/rejected': ({ method }) => `The request was declined in the wallet (${method}). Ask again to retry.`,
  'request/unknown': ({ method }) =>
    `Whether ${method} was carried out is not known: the wallet may still answer. Check it before asking again.`,
  'rpc/unreachable': ({ network }) => `No RPC endpoint of ${network} answers. Try again, or use another network.`,
  'session/invalid': ({ reason }) => `The wallet offered a session that cannot be used: ${reason}.`,
  'transaction/pending': ({ seconds }) =>
    `The transaction was sent but not mined within ${seconds} seconds. It may still be: look it up before sending again.`,
  'transaction/reverted': ({ reason }) => `The transaction was reverted: ${reason}`,
  'wallet/invalid-answer': ({ wallet, method }) => `${wallet} gave an answer to ${method} that makes no sense.`,
  'wallet/locked': ({ wallet }) => `${wallet} is locked. Unlock it and try again.`,
  'wallet/unavailable': ({ wallet }) => `${wallet} does not answer any more. Reload the page or open the wallet.`,
}

type ErrorOptions = { cause?: unknown }

/**
 * The one error class of Latchkey: a stable code, what it is about, and a sentence that says what to do.
 *
 * @example throw new LatchkeyError('connector/not-found', { id })
 */
export class LatchkeyError<code extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'LatchkeyError'
  readonly code: code
  readonly context: Errors[code]

  constructor(code: code & SharedCode, context: Errors[code], options?: ErrorOptions)
  constructor(code: code, context: Errors[code], options: ErrorOptions & { sentence: string })
  constructor(code: code, context: Errors[code], options: ErrorOptions & { sentence?: string } = {}) {
    super(options.sentence ?? sayShared(code, context), options)
    this.code = code
    this.context = context
  }
}

function sayShared<code extends ErrorCode>(code: code, context: Errors[code]): string {
  // The constructor asks for a sentence where this table has none.
  const say = (sentences as Partial<Sentences<ErrorCode>>)[code]
  return say?.(context) ?? code
}

/** Makes an error of one of some codes. */
export type ErrorMaker<codes extends ErrorCode> = <code extends codes>(
  code: code,
  context: Errors[code],
  options?: ErrorOptions,
) => LatchkeyError<code>

/**
 * Makes the errors of a package: the sentences of its own codes are loaded with it, and with nothing else.
 *
 * @example
 * const relayError = createErrors({ 'relay/refused': ({ reason }) => `The relay refused the connection: ${reason}` })
 * throw relayError('relay/refused', { reason })
 */
export function createErrors<codes extends ErrorCode>(own: Sentences<codes>): ErrorMaker<codes> {
  return (code, context, options) => new LatchkeyError(code, context, { ...options, sentence: own[code](context) })
}

/**
 * Whether a caught value is an error of Latchkey, and of one code when that is given.
 *
 * @example if (isLatchkeyError(error, 'connection/rejected')) return
 */
export function isLatchkeyError<code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: code,
): error is LatchkeyError<code> {
  return error instanceof LatchkeyError && (code === undefined || error.code === code)
}
