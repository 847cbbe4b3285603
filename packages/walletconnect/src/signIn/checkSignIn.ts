import { LatchkeyError, parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { AuthPayload } from './authPayload.ts'
import { formatSignInMessage, signerOf, type Cacao } from './cacao.ts'
import { isSignedBy } from './verify.ts'

/**
 * Asks the chain of an account whether its contract takes a signature as its own (EIP-1271), also before it is
 * deployed (EIP-6492).
 *
 * @example verifyContract: ({ chainId, ...check }) => clientOf(chainId).verifyMessage(check)
 */
export type VerifyContract = (check: ContractCheck) => Promise<boolean>

export type ContractCheck = {
  readonly chainId: ChainId
  readonly address: string
  readonly message: string
  /** Hex. */
  readonly signature: string
}

/** What must be the same in the answer as in the question. */
const bound = ['domain', 'aud', 'version', 'nonce', 'exp', 'nbf'] as const

/**
 * Checks that the CACAOs of a wallet are signed, and by their signer, and answer what was asked here and now.
 *
 * @param now milliseconds
 * @throws LatchkeyError `session/invalid`.
 */
export async function checkSignIn(
  cacaos: readonly Cacao[],
  asked: AuthPayload,
  now: number,
  verifyContract?: VerifyContract,
): Promise<void> {
  if (cacaos.length === 0) throw invalid('it has no signature')
  // One per chain is usual; a flood of them would keep the page busy.
  if (cacaos.length > Math.max(asked.chains.length, 10)) throw invalid('it has more signatures than were asked for')
  for (const cacao of cacaos) {
    const account = signerOf(cacao)
    checkBinding(cacao, asked, account, now)
    if (!(await isSigned(cacao, account, verifyContract))) throw invalid('a signature does not verify')
  }
}

function checkBinding({ p }: Cacao, asked: AuthPayload, account: AccountId, now: number): void {
  const other = bound.find((name) => p[name] !== asked[name])
  if (other !== undefined) throw invalid(`its ${other} is not the one that was asked for`)
  if (!asked.chains.includes(parseAccountId(account).chainId)) throw invalid('its chain was not asked for')
  if (p.exp !== undefined && !(Date.parse(p.exp) > now)) throw invalid('it has expired')
  if (p.nbf !== undefined && !(Date.parse(p.nbf) <= now)) throw invalid('it does not count yet')
}

async function isSigned(cacao: Cacao, account: AccountId, verifyContract?: VerifyContract): Promise<boolean> {
  const { address, chainId } = parseAccountId(account)
  const message = formatSignInMessage(cacao.p, account)
  const { t: type, s: signature } = cacao.s
  if (type === 'eip191') return isSignedBy(address, message, signature)
  if (!isOfContract(cacao)) throw invalid('a signature is of a kind that is not known here')
  if (verifyContract === undefined) {
    throw invalid('it is signed by a contract, and this app passes no verifyContract to check that')
  }
  try {
    return await verifyContract({ chainId, address, message, signature })
  } catch (cause) {
    throw invalid('the contract that signed it could not be asked', cause)
  }
}

/** Whether only the contract of its account can tell whether a signature is right. */
export function isOfContract({ s: { t: type } }: Cacao): boolean {
  return type === 'eip1271' || type === 'eip6492'
}

function invalid(fault: string, cause?: unknown): LatchkeyError<'session/invalid'> {
  return new LatchkeyError('session/invalid', { reason: `the sign-in cannot be accepted: ${fault}` }, { cause })
}
