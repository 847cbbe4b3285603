/**
 * Error codes and the context that each carries. A package adds its own codes by declaration merging, next to the
 * sentences that it passes to `createErrors`:
 *
 * ```ts
 * declare module '@latchkey/protocol' {
 *   interface ErrorContexts {
 *     'relay/refused': { reason: string }
 *   }
 * }
 * ```
 *
 * A new code also needs a heading in docs/errors.md.
 */
// Only an interface can be extended by other packages.
// oxlint-disable-next-line typescript/consistent-type-definitions
export interface ErrorContexts {
  'adapter/not-found': { namespace: string }
  'address/invalid': { namespace: string; value: string }
  'amount/invalid': { value: string }
  'caip/invalid': { kind: 'chain id' | 'account id' | 'asset id'; value: string }
  'config/invalid': { problems: readonly string[] }
  'connection/aborted': object
  'connection/not-connected': object
  'connection/rejected': { wallet: string }
  'connector/not-found': { id: string }
  'contract/call-invalid': { functionName: string; reason: string }
  'contract/not-found': { address: string; functionName: string }
  /** `error` is the error of the contract, if the ABI or a standard describes it. */
  'contract/reverted': { functionName: string; reason: string; error?: ContractError }
  'http/invalid-response': { subject: string }
  'http/status': { status: number }
  'http/unreachable': { origin: string }
  'network/add-refused': { network: string }
  'network/not-found': { chainId: string }
  'network/switch-unsupported': { wallet: string }
  'payment-uri/invalid': { reason: string }
  'release/invalid': { reason: string }
  'request/failed': { method: string; code: number | undefined; reason: string }
  'request/not-allowed': { method: string }
  'request/rejected': { method: string }
  'request/unknown': { method: string }
  'rpc/failed': { network: string; method: string; code: number | undefined; reason: string }
  'rpc/unreachable': { network: string }
  /** `member` names the invalid part of a namespace. `namespace` means the namespace itself. */
  'session/invalid': { reason: string; member?: 'chains' | 'methods' | 'events' | 'accounts' | 'namespace' }
  'sign-in/invalid': { reason: string }
  'transaction/pending': { hash: string; seconds: number }
  /** `error` is the error of the contract, if it was decoded. */
  'transaction/reverted': { hash: string | undefined; reason: string; error?: ContractError }
  'wallet/invalid-response': { wallet: string; method: string }
  'wallet/locked': { wallet: string }
  'wallet/no-accounts': { wallet: string }
  'wallet/unavailable': { wallet: string }
}

/** The stable name of a failure. Branch on it, never on the message. */
export type ErrorCode = keyof ErrorContexts

/** A decoded error of a contract: its name and its arguments in order. */
export type ContractError = { readonly name: string; readonly args: readonly unknown[] }

/** The context of an error code. Codes of packages that are not part of the program have an untyped context. */
export type ErrorContext<Code extends string> = Code extends ErrorCode
  ? ErrorContexts[Code]
  : Readonly<Record<string, unknown>>

/** Messages by error code. */
export type Sentences<Codes extends ErrorCode> = {
  readonly [Code in Codes]: (context: ErrorContexts[Code]) => string
}

type ErrorOptions = { cause?: unknown }

/** Marks errors of Latchkey across copies of this package: `Symbol.for` returns the same symbol in each of them. */
const errorBrand = Symbol.for('@latchkey/error')

/**
 * The error class of Latchkey: a stable code, a typed context and a message that says what to do. `createErrors` makes
 * functions that create errors with the message of their code. Use the constructor where the message has another source.
 *
 * @example throw new LatchkeyError('request/rejected', { method }, { sentence: reasonFromWallet })
 */
export class LatchkeyError<Code extends string = ErrorCode> extends Error {
  override readonly name: string = 'LatchkeyError'
  readonly code: Code
  readonly context: ErrorContext<Code>

  constructor(code: Code, context: ErrorContext<Code>, { sentence, ...options }: ErrorOptions & { sentence: string }) {
    super(sentence, options)
    this.code = code
    this.context = context
    Object.defineProperty(this, errorBrand, { value: true })
  }
}

/** Creates an error with one of the given codes. */
export type ErrorMaker<Codes extends ErrorCode> = <Code extends Codes>(
  code: Code,
  context: ErrorContext<Code>,
  options?: ErrorOptions,
) => LatchkeyError<Code>

/**
 * Creates the error function of a package. The messages are bundled with the code that throws them, and only with it.
 *
 * @param sentences the message of each code, from its context
 * @returns a function that creates an error with one of these codes
 * @example
 * const relayError = createErrors({ 'relay/refused': ({ reason }) => `The relay refused the connection: ${reason}` })
 * throw relayError('relay/refused', { reason })
 */
export function createErrors<Codes extends ErrorCode>(sentences: Sentences<Codes>): ErrorMaker<Codes> {
  return (code, context, options) =>
    // `Code` is one of `Codes`, for which its context is the one that the sentence takes.
    new LatchkeyError(code, context, { ...options, sentence: sentences[code](context as ErrorContexts[typeof code]) })
}

/**
 * True if a caught value is an error of Latchkey and, if you pass a code, has this code. Errors are recognised by a
 * brand, not by `instanceof`, so the check also works when an app has two copies of a package.
 *
 * @param error any caught value
 * @param code the expected error code
 * @example if (isLatchkeyError(error, 'connection/rejected')) return
 */
export function isLatchkeyError<Code extends string = ErrorCode>(
  error: unknown,
  code?: Code,
): error is LatchkeyError<Code> {
  if (typeof error !== 'object' || error === null || !(errorBrand in error) || !('code' in error)) return false
  return code === undefined || error.code === code
}
