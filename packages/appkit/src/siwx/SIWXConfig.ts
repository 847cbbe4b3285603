import type { SignIn, SignInDraft, SignInMessageRequest } from '@latchkey/core'
import type { ChainId, SignInSession } from '@latchkey/protocol'
import { InformalMessenger, type SIWXMessenger } from './InformalMessenger.ts'
import { LocalStorage, type SIWXStorage } from './LocalStorage.ts'
import type { SIWXVerifier } from './SIWXVerifier.ts'

export type SIWXOptions = {
  messenger: SIWXMessenger
  storage: SIWXStorage
  /** At least one that applies to a session must accept it, and none may refuse it. */
  verifiers: readonly SIWXVerifier[]
  /** False to let users stay connected without signing in. True by default. */
  required?: boolean
}

/** A sign-in that is composed of a messenger, a storage and verifiers. */
export class SIWXConfig implements SignIn {
  readonly #options: SIWXOptions
  readonly verifiesInPage: boolean = false
  signOutOnDisconnect: boolean = true

  constructor(options: SIWXOptions) {
    this.#options = options
  }

  createMessage(input: SignInMessageRequest): SignInDraft | Promise<SignInDraft> {
    return this.#options.messenger.createMessage(input)
  }

  async addSession(session: SignInSession): Promise<void> {
    await this.#check(session)
    await this.#options.storage.add(session)
  }

  async setSessions(sessions: readonly SignInSession[]): Promise<void> {
    for (const session of sessions) await this.#check(session)
    await this.#options.storage.set(sessions)
  }

  getSessions(chainId: ChainId, address: string): Promise<readonly SignInSession[]> {
    return this.#options.storage.get(chainId, address)
  }

  revokeSession(chainId: ChainId, address: string): Promise<void> {
    return this.#options.storage.delete(chainId, address)
  }

  getRequired(): boolean {
    return this.#options.required ?? true
  }

  async #check(session: SignInSession): Promise<void> {
    const applicable = this.#options.verifiers.filter((verifier) => verifier.shouldVerify(session))
    const results = await Promise.all(applicable.map((verifier) => verifier.verify(session)))
    const isValid = results.every((isAccepted) => isAccepted) && (results.length > 0 || this.verifiesInPage)
    if (!isValid) throw new Error('The signature is not valid')
  }
}

/**
 * Signs users in for this page only: sessions are kept in localStorage. It proves nothing to a server: use `serverSignIn` of
 * `@latchkey/core` with one. Without verifiers, the adapters verify the signatures, those of contracts included.
 *
 * @example createAppKit({ networks: [mainnet], projectId, siwx: new DefaultSIWX() })
 */
export class DefaultSIWX extends SIWXConfig {
  override readonly verifiesInPage: boolean

  constructor(options: Partial<SIWXOptions> = {}) {
    const { messenger = new InformalMessenger(), storage = new LocalStorage(), verifiers = [], required } = options
    super({ messenger, storage, verifiers, required })
    this.verifiesInPage = verifiers.length === 0
  }
}
