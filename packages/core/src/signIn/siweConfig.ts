import {
  isLatchkeyError,
  parseChainId,
  parseSignInMessage,
  signInWithEthereum,
  type ChainId,
  type SignInMessage,
  type SignInSession,
} from '@latchkey/protocol'
import { draftOf } from './draft.ts'
import { isSameSignInAddress } from './isSameSignInAddress.ts'
import type { SignIn } from './signInState.ts'
import { signInError } from './signInError.ts'

/** The session, as the app's own server reports it. */
export type SiweSession = { address: string; chainId: number }

/** Parameters that an app adds to the message. Domain and origin default to those of the page. */
export type SiweMessageParams = {
  domain?: string
  uri?: string
  statement?: string
  resources?: readonly string[]
  requestId?: string
  /** RFC 3339, like the other times. */
  exp?: string
  nbf?: string
  iat?: string
}

/** The parameters of the app's own message. */
export type SiweMessageArgs = SiweMessageParams & {
  domain: string
  uri: string
  version: '1'
  address: string
  chainId: number
  nonce: string
  iat: string
}

/** The older sign-in option: eip155 accounts only, one session at a time. New apps use `siwx`. */
export type SiweConfig = {
  getNonce(address?: string): Promise<string>
  getMessageParams?(): Promise<SiweMessageParams> | SiweMessageParams
  createMessage(args: SiweMessageArgs): string
  verifyMessage(args: { message: string; signature: string; cacao?: unknown }): Promise<boolean>
  getSession(): Promise<SiweSession | null>
  signOut(): Promise<boolean>
  onSignIn?(session: SiweSession): void
  onSignOut?(): void
  /** All default to true. */
  enabled?: boolean
  required?: boolean
  signOutOnDisconnect?: boolean
  signOutOnAccountChange?: boolean
  signOutOnNetworkChange?: boolean
}

/** Converts the older option to the current one. Accounts of other namespaces count as signed in. */
export function fromSiweConfig(config: SiweConfig): SignIn {
  const isForeign = (chainId: ChainId): boolean => parseChainId(chainId).namespace !== signInWithEthereum
  const signOut = async (): Promise<void> => {
    await config.signOut()
    config.onSignOut?.()
  }

  async function addSession({ message, signature, cacao }: SignInSession): Promise<void> {
    if (!(await config.verifyMessage({ message, signature, ...(cacao === undefined ? {} : { cacao }) }))) {
      throw signInError('sign-in/refused', { reason: 'verifyMessage returned false' })
    }
    const session = await config.getSession()
    if (session === null) throw signInError('sign-in/refused', { reason: 'getSession returned no session' })
    config.onSignIn?.(session)
  }

  return {
    async createMessage({ chainId, accountAddress: address, notBefore }) {
      const nonce = await config.getNonce(address)
      const { exp, nbf = notBefore, iat, ...params } = (await config.getMessageParams?.()) ?? {}
      const draft = draftOf(params, { chainId, accountAddress: address, notBefore: nbf }, nonce, Date.now())
      const { domain, uri, issuedAt } = draft
      const fields = { ...params, domain, uri, version: '1', address, nonce, iat: iat ?? issuedAt } as const
      const times = { ...(exp === undefined ? {} : { exp }), ...(nbf === undefined ? {} : { nbf }) }
      const text = config.createMessage({ ...fields, ...times, chainId: Number(parseChainId(chainId).reference) })
      return { ...(tryParseMessage(text) ?? { ...draft, issuedAt: fields.iat }), toString: () => text }
    },
    addSession,
    async setSessions(sessions) {
      if (sessions.length === 0) await signOut()
      for (const session of sessions) await addSession(session)
    },
    async getSessions(chainId, address) {
      if (isForeign(chainId)) return [sessionOf(chainId, address)]
      const session = await config.getSession()
      if (session === null) return []
      const isOther = !isSameSignInAddress(session.address, address)
      const isElsewhere = session.chainId !== Number(parseChainId(chainId).reference)
      const ends =
        (isOther && config.signOutOnAccountChange !== false) || (isElsewhere && config.signOutOnNetworkChange !== false)
      if (!ends) return [sessionOf(chainId, address)]
      await signOut()
      return []
    },
    revokeSession: async (chainId) => (isForeign(chainId) ? undefined : signOut()),
    getRequired: () => config.required ?? true,
    signOutOnDisconnect: config.signOutOnDisconnect ?? true,
  }
}

/** Parses the app's own message, as far as possible. */
function tryParseMessage(text: string): SignInMessage | undefined {
  try {
    return parseSignInMessage(text)
  } catch (error) {
    if (isLatchkeyError(error)) return undefined
    throw error
  }
}

/** Converts the session of the app's server, as far as its fields are known. */
function sessionOf(chainId: ChainId, accountAddress: string): SignInSession {
  const emptyData = { domain: '', uri: '', version: '1', nonce: '', issuedAt: '' } as const
  return { data: { ...emptyData, chainId, accountAddress }, message: '', signature: '' }
}
