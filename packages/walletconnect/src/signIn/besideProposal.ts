import { LatchkeyError, type ChainId } from '@latchkey/protocol'
import type { ProposedNamespaces } from '../grants.ts'
import { signInNamespace } from '../namespaces.ts'
import { isRecord } from '../parse.ts'
import type { Proposed, Proposer } from '../propose.ts'
import { authPayloadOf, type SignIn } from './authPayload.ts'
import { readCacao, type Cacao } from './cacao.ts'
import { checkSignIn, isOfContract, type VerifyContract } from './checkSignIn.ts'

/** A sign-in that is asked for together with a session. */
export type SignInBeside = {
  signIn: SignIn & {
    /** The chains to sign in on, of eip155; those of the session by default. */
    chains?: readonly ChainId[]
  }
  /**
   * Called before the session stands, with what was signed, checked. Not called by a wallet that does not sign in, nor for
   * a contract's signature where nothing was given to check that with.
   */
  onSignIn?(auths: readonly Cacao[]): void
}

/**
 * Puts a sign-in into a proposal. A settlement whose sign-in does not verify is refused.
 *
 * @throws LatchkeyError `config/invalid` when it could not be signed as it stands.
 */
export function proposedWith(
  { clock }: Pick<Proposer, 'clock'>,
  namespaces: ProposedNamespaces,
  { signIn, onSignIn }: SignInBeside,
  verifyContract?: VerifyContract,
): Proposed {
  const { chains = namespaces[signInNamespace]?.chains ?? [], ...asked } = signIn
  const payload = authPayloadOf(asked, chains, [], clock.now())
  return {
    namespaces,
    requests: { authentication: [payload] },
    async accept({ proposalRequestsResponses }) {
      const auths = readAuths(proposalRequestsResponses)
      if (auths === undefined || (verifyContract === undefined && auths.some(isOfContract))) return
      await checkSignIn(auths, payload, clock.now(), verifyContract)
      onSignIn?.(auths)
    },
  }
}

function readAuths(responses: unknown): readonly Cacao[] | undefined {
  const { authentication } = isRecord(responses) ? responses : {}
  // A wallet that signs nothing is free to say so.
  if (authentication === undefined || authentication === null) return undefined
  if (Array.isArray(authentication)) return authentication.length === 0 ? undefined : authentication.map(readCacao)
  throw new LatchkeyError('session/invalid', { reason: 'its sign-in is malformed' })
}
