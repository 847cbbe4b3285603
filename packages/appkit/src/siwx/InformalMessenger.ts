import { localSignIn, type SignInDraft, type SignInMessageRequest } from '@latchkey/core'

/** Creates the messages that users sign. */
export type SIWXMessenger = {
  createMessage(input: SignInMessageRequest): SignInDraft | Promise<SignInDraft>
}

export type MessengerOptions = {
  /** The host of the page by default. */
  domain?: string
  /** The address of the page by default. */
  uri?: string
  /** Creates a nonce, usually on the app's server. 128 random bits by default. */
  getNonce?(input: SignInMessageRequest): string | Promise<string>
  statement?: string
  resources?: readonly string[]
  /** The lifetime of the session in milliseconds. A week by default. */
  expiration?: number
  /** RFC 3339. */
  notBefore?: string
  requestId?: string
  /** Has no effect: the namespace of the chain decides about its form. */
  clearChainIdNamespace?: boolean
}

/**
 * Creates sign-in messages (CAIP-122).
 *
 * @example const messenger = new InformalMessenger({ statement: 'Welcome to Example.' })
 */
export class InformalMessenger implements SIWXMessenger {
  readonly #options: MessengerOptions

  constructor(options: MessengerOptions = {}) {
    this.#options = options
  }

  async createMessage(input: SignInMessageRequest): Promise<SignInDraft> {
    const { getNonce, expiration, notBefore, clearChainIdNamespace: _clear, ...texts } = this.#options
    const messages = localSignIn({ ...texts, ...(expiration !== undefined && { lifetime: expiration }) })
    const draft = await messages.createMessage({ ...input, notBefore: input.notBefore ?? notBefore })
    return getNonce === undefined ? draft : { ...draft, nonce: await getNonce(input) }
  }
}
