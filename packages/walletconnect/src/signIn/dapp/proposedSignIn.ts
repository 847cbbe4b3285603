import { type ChainId, connectionError } from '@latchkey/protocol'
import type { DappClient } from '../../dapp/dappClient.ts'
import type { SessionProposalOptions } from '../../dapp/sessionProposalOptions.ts'
import { isUnknownRecord } from '../../primitives/unknownRecord.ts'
import { signInNamespace } from '../../session/namespaceScopes.ts'
import type { ProposedNamespaces } from '../../session/sessionNamespaces.ts'
import { createAuthPayload, type SignIn } from '../authPayload.ts'
import { parseCacao, type Cacao } from '../cacao.ts'
import { checkSignIn, isContractSignature, type VerifyContract } from '../checkSignIn.ts'

/** A sign-in that is requested with a session. */
export type ProposedSignIn = {
  signIn: SignIn & {
    /** The chains to sign in on, of eip155. Defaults to those of the session. */
    chains?: readonly ChainId[]
  }
  /**
   * Called with the verified signatures before the session is established. Not called if the wallet does not sign in, nor
   * for the signature of a contract without `verifyContract`.
   */
  onSignIn?(auths: readonly Cacao[]): void
}

/**
 * Adds a sign-in to a proposal. A settlement whose sign-in does not verify is rejected.
 *
 * @throws LatchkeyError `config/invalid` if the sign-in cannot be signed
 */
export function proposeWithSignIn(
  { clock }: Pick<DappClient, 'clock'>,
  namespaces: ProposedNamespaces,
  { signIn, onSignIn }: ProposedSignIn,
  verifyContract?: VerifyContract,
): SessionProposalOptions {
  const { chains = namespaces[signInNamespace]?.chains ?? [], ...content } = signIn
  const payload = createAuthPayload(content, chains, [], clock.now())
  return {
    namespaces,
    requests: { authentication: [payload] },
    async accept({ proposalRequestsResponses }) {
      const auths = parseAuths(proposalRequestsResponses)
      if (auths === undefined || (verifyContract === undefined && auths.some(isContractSignature))) return
      await checkSignIn(auths, payload, clock.now(), verifyContract)
      onSignIn?.(auths)
    },
  }
}

function parseAuths(responses: unknown): readonly Cacao[] | undefined {
  const { authentication } = isUnknownRecord(responses) ? responses : {}
  // Some wallets that sign nothing send null.
  if (authentication === undefined || authentication === null) return undefined
  if (Array.isArray(authentication)) return authentication.length === 0 ? undefined : authentication.map(parseCacao)
  throw connectionError('session/invalid', { reason: 'its sign-in is malformed' })
}
