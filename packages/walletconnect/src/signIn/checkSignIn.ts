import { parseAccountId, type AccountId, type ChainId, type LatchkeyError, connectionError } from '@latchkey/protocol'
import type { AuthPayload } from './authPayload.ts'
import { formatSignInMessage, parseSigner, type Cacao } from './cacao.ts'
import { isSignedBy } from './isSignedBy.ts'

/**
 * Verifies the signature of a contract account on its chain (EIP-1271), even before the contract is deployed (EIP-6492).
 *
 * @example
 * createDapp({ relayUrl, projectId, metadata, verifyContract: ({ chainId, ...check }) => clientOf(chainId).verifyMessage(check) })
 */
export type VerifyContract = (check: ContractCheck) => Promise<boolean>

export type ContractCheck = {
  readonly chainId: ChainId
  readonly address: string
  readonly message: string
  /** Hex. */
  readonly signature: string
}

/** The fields that must be equal in request and response. */
const signedRequestFields = ['domain', 'aud', 'version', 'nonce', 'exp', 'nbf'] as const

/**
 * Verifies the CACAOs of a wallet: their signatures, and that they match the request and are valid now.
 *
 * @param now milliseconds
 * @throws LatchkeyError `session/invalid`
 */
export async function checkSignIn(
  cacaos: readonly Cacao[],
  requested: AuthPayload,
  now: number,
  verifyContract?: VerifyContract,
): Promise<void> {
  if (cacaos.length === 0) throw invalidSignIn('it has no signature')
  // One per chain is usual. A flood of signatures would block the page.
  if (cacaos.length > Math.max(requested.chains.length, 10))
    throw invalidSignIn('there are more signatures than requested chains')
  for (const cacao of cacaos) {
    const account = parseSigner(cacao)
    assertContentMatches(cacao, requested, account, now)
    if (!(await isCacaoSigned(cacao, account, verifyContract))) throw invalidSignIn('a signature does not verify')
  }
}

function assertContentMatches({ p }: Cacao, requested: AuthPayload, account: AccountId, now: number): void {
  const changed = signedRequestFields.find((name) => p[name] !== requested[name])
  if (changed !== undefined) throw invalidSignIn(`its ${changed} differs from the request`)
  if (!requested.chains.includes(parseAccountId(account).chainId)) throw invalidSignIn('its chain was not requested')
  if (p.exp !== undefined && !(Date.parse(p.exp) > now)) throw invalidSignIn('it has expired')
  if (p.nbf !== undefined && !(Date.parse(p.nbf) <= now)) throw invalidSignIn('it is not valid yet')
}

async function isCacaoSigned(cacao: Cacao, account: AccountId, verifyContract?: VerifyContract): Promise<boolean> {
  const { address, chainId } = parseAccountId(account)
  const message = formatSignInMessage(cacao.p, account)
  const { t: type, s: signature } = cacao.s
  if (type === 'eip191') return isSignedBy(address, message, signature)
  if (!isContractSignature(cacao)) throw invalidSignIn('the type of a signature is unknown')
  if (verifyContract === undefined) {
    throw invalidSignIn('a contract signed it, and this app has no verifyContract option')
  }
  try {
    return await verifyContract({ chainId, address, message, signature })
  } catch (cause) {
    throw invalidSignIn('the contract that signed it cannot be reached', cause)
  }
}

/** True if only the contract of the account can verify the signature. */
export function isContractSignature({ s: { t: type } }: Cacao): boolean {
  return type === 'eip1271' || type === 'eip6492'
}

function invalidSignIn(problem: string, cause?: unknown): LatchkeyError<'session/invalid'> {
  return connectionError('session/invalid', { reason: `the sign-in cannot be accepted: ${problem}` }, { cause })
}
