import { ServiceRefusal, type Ask } from '../services/ask.ts'
import type { Approval } from './otherLogin.ts'

/** A link that was mailed, and the digits that its page asks for. */
export type MailedLink = {
  readonly match: string
  readonly email: string
  /** Settled when it was approved. */
  approved(): Promise<void>
}

export type ApprovalParts = {
  /** As the one who is logged in. */
  readonly shares: Ask
  /** As this device, which nobody approved yet. */
  readonly plainShares: Ask
  readonly projectId: string
  pause(milliseconds: number): Promise<void>
}

const pollMs = 1_000
const noAddress =
  'This account tells no confirmed e-mail address, which the wallet needs to be recovered. Add one there, or log in another way.'

/**
 * Convinces the share store that this new device belongs to whoever logged in elsewhere.
 *
 * @returns a link that has to be approved first, where nothing else convinces it
 */
export async function seekApproval(parts: ApprovalParts, approval: Approval): Promise<MailedLink | undefined> {
  const { shares } = parts
  if (approval.kind === 'checked') {
    await shares('POST', approval.path, approval.body)
    return undefined
  }
  const { email, origin } = approval
  if (email === undefined) throw new ServiceRefusal(403, 'email', noAddress)
  try {
    await shares('POST', '/shares/v1/identity/first', { email })
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceRefusal && error.status === 403)) throw error
    return mailLink(parts, { email, origin })
  }
}

async function mailLink(
  { plainShares, projectId, pause }: ApprovalParts,
  asked: { email: string; origin: string },
): Promise<MailedLink> {
  const { id, match } = await plainShares('POST', '/shares/v1/links', { ...asked, projectId })
  return { match: String(match), email: asked.email, approved: () => awaitLink(plainShares, String(id), pause) }
}

/** Asks for the state of a link until it was approved. @throws ServiceRefusal 410 `link` */
export async function awaitLink(
  shares: Ask,
  id: string,
  pause: (milliseconds: number) => Promise<void>,
  isStill: () => boolean = () => true,
): Promise<void> {
  for (;;) {
    if (!isStill()) throw new ServiceRefusal(409, 'email', 'Another login was begun meanwhile.')
    const { state } = await shares('POST', '/shares/v1/links/state', { id })
    if (state === 'approved') return
    if (state === 'over') {
      throw new ServiceRefusal(410, 'link', 'The link was not approved in time. Ask for another one.')
    }
    await pause(pollMs)
  }
}
