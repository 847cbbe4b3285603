import {
  checkSignInMessage,
  formatSignInMessage,
  isLatchkeyError,
  LatchkeyError,
  type SignInSession,
} from '@latchkey/protocol'
import { dismissModal, openModal } from '../actions/navigation.ts'
import { showToast } from '../actions/notices.ts'
import type { Latchkey } from '../latchkey.ts'
import { currentEntry } from '../modal/modal.ts'
import { requireConnected } from '../state/standing.ts'
import { getAccount } from '../state/wallet.ts'
import { becomeSigned } from './becomeSigned.ts'
import { lookUpAgain } from './lookUp.ts'
import { sameAddress } from './sameAddress.ts'
import type { SignInDraft, SignInState } from './signIn.ts'
import { signInError } from './signInError.ts'
import { isRequired, policyOf, spell, subjectOf, type Subject } from './subject.ts'

/** What `signIn` does; loaded when somebody signs in. */
export async function signInNow(latchkey: Latchkey): Promise<SignInSession> {
  const policy = policyOf(latchkey)
  if (getAccount(latchkey).status !== 'connected') throw signInError('sign-in/no-account', {})
  const subject = subjectOf(latchkey)
  if (subject === undefined) throw signInError('sign-in/no-network', {})
  const about = { account: subject.account, required: isRequired(policy) }
  const signing: SignInState = { status: 'signing', ...about }
  latchkey.signIn.setState(signing, true)
  const mustStand = (): void => {
    if (latchkey.signIn.getState() !== signing) throw new LatchkeyError('connection/aborted', {})
  }
  try {
    const session = await sign(latchkey, subject, mustStand)
    await policy.addSession(session)
    mustStand()
    becomeSigned(latchkey, about, session, () => void lookUpAgain(latchkey))
  } catch (error) {
    if (latchkey.signIn.getState() === signing) fail(latchkey, { status: 'unsigned', ...about, error })
    throw error
  }
  const state = latchkey.signIn.getState()
  if (state.status !== 'signed') throw new LatchkeyError('connection/aborted', {})
  const modal = latchkey.modal.getState()
  if (modal.open && isAsking(currentEntry(modal).view)) dismissModal(latchkey)
  latchkey.events.emit({ type: 'sign-in', account: subject.account })
  return state.session
}

/** Has the account's wallet sign what the policy wants it to say. */
async function sign(latchkey: Latchkey, subject: Subject, mustStand: () => void): Promise<SignInSession> {
  const policy = policyOf(latchkey)
  const { adapter, state, network } = requireConnected(latchkey)
  const { chainId } = subject
  const accountAddress = await spell(latchkey, subject)
  const data = await policy.createMessage({ chainId, accountAddress })
  if (data.chainId !== chainId || !sameAddress(data.accountAddress, accountAddress)) {
    throw signInError('sign-in/invalid', { reason: 'its message is about another account or chain' })
  }
  const message = wordsOf(data)
  mustStand()
  const signature =
    (await policy.signMessage?.({ message, chainId, accountAddress })) ??
    (await adapter.signMessage(state.connection, state.account, message))
  mustStand()
  if (policy.checksNothing === true && !(await adapter.verifyMessage(network, accountAddress, message, signature))) {
    throw signInError('sign-in/refused', { reason: 'the signature is not of this account' })
  }
  mustStand()
  const publicKey = state.connection.details?.(state.account)?.publicKey
  const { toString: _, ...said } = data
  return { data: said, message, signature, ...(publicKey === undefined ? {} : { publicKey }) }
}

/**
 * A policy may have words of its own; others are those of CAIP-122, by the letter.
 *
 * @throws LatchkeyError `sign-in/invalid`.
 */
function wordsOf(data: SignInDraft): string {
  if (data.toString !== undefined && data.toString !== Object.prototype.toString) return String(data)
  checkSignInMessage(data)
  return formatSignInMessage(data)
}

/** The visitor stays where the sign-in is asked for, also when the wallet took him elsewhere meanwhile [R4.3.2]. */
function fail(latchkey: Latchkey, state: Extract<SignInState, { status: 'unsigned' }>): void {
  latchkey.signIn.setState(state, true)
  const modal = latchkey.modal.getState()
  if (!modal.open || !isAsking(currentEntry(modal).view)) {
    openModal(latchkey, { entry: { view: 'SIWXSignMessage', params: {} } })
  }
  const code = isLatchkeyError(state.error) ? state.error.code : undefined
  if (code === 'request/rejected') {
    showToast(latchkey, 'Signature declined', { variant: 'error', said: 'signInDeclined' })
  }
  latchkey.events.emit({ type: 'sign-in-error', during: 'signing', account: state.account, code })
}

function isAsking(view: string): boolean {
  return view === 'SIWXSignMessage' || view === 'ConnectingSiwe'
}
