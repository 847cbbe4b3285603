import type { AccountService } from '../../services/accountService.ts'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import type { KeyShareStores } from '../../wallet/enrol.ts'
import type { AddressConfirmation, KeyHolder } from '../keyHolder.ts'
import { awaitLinkApproval } from '../login/deviceApproval.ts'
import type { KnownLogins } from '../login/knownLogins.ts'
import type { Session } from '../login/session.ts'

export type EmailChange = Pick<
  KeyHolder,
  'updateEmail' | 'updateEmailPrimary' | 'awaitNewAddress' | 'updateEmailSecondary'
>

export type EmailChangeDependencies = {
  readonly account: AccountService
  /** Sends requests to the services. */
  readonly requests: { readonly shares: ServiceRequest }
  readonly projectId: string
  readonly session: Pick<Session, 'user' | 'save'>
  readonly known: Pick<KnownLogins, 'add'>
  later(act: () => void, milliseconds: number): unknown
  /** Key share stores of the user. @throws ServiceRefusal 401 */
  stores(): Promise<KeyShareStores>
}

/** A change of the address. Each field that can change records a step that is not repeated if a later one fails. */
type StartedChange = {
  readonly id: string
  readonly email: string
  readonly origin: string
  /** The contact that moves with the address. */
  readonly movedContact: string | undefined
  isPrimaryConfirmed: boolean
  /** The link that the share store mailed to the new address. */
  link?: { readonly id: string; readonly match: string }
  waiting?: Promise<void> | undefined
  /** The new address once the auth service has changed it. */
  done?: string
}

/**
 * Creates the change of the login's address, and of the contact that approves new devices at the share store. The new contact
 * confirms the change to the share store by a link, which asks for two digits that this frame shows.
 */
export function createEmailChange(dependencies: EmailChangeDependencies): EmailChange {
  const { account, requests, projectId, session, known, later, stores } = dependencies
  const pause = (milliseconds: number) => new Promise<void>((resolve) => void later(resolve, milliseconds))
  let started: StartedChange | undefined
  const getStarted = (): StartedChange => {
    if (started === undefined) throw new ServiceRefusal(409, 'email', 'Enter the new address first.')
    return started
  }

  return {
    async updateEmail({ email, origin }) {
      const { shares } = await stores()
      const current = (await session.user())?.email
      // An account of an identity provider keeps approving the devices of its user.
      const movedContact = current !== undefined && (await shares.isContactMovable(current)) ? current : undefined
      const { id, action } = await account.updateEmail({ email, projectId, origin })
      // Without a code of the present address, the share store's contact stays.
      const isMoved = action === 'VERIFY_PRIMARY_OTP'
      started = { id, email, origin, movedContact: isMoved ? movedContact : undefined, isPrimaryConfirmed: false }
      return { action }
    },
    async updateEmailPrimary(code) {
      const change = getStarted()
      if (!change.isPrimaryConfirmed) await account.updateEmailPrimary({ id: change.id, code })
      change.isPrimaryConfirmed = true
      return change.movedContact === undefined ? undefined : requestConfirmation(requests.shares, projectId, change)
    },
    async awaitNewAddress() {
      const change = getStarted()
      const { link } = change
      if (link === undefined) throw new ServiceRefusal(409, 'email', 'Enter the code of the present address first.')
      change.waiting ??= awaitLinkApproval(requests.shares, link.id, pause, () => started === change).catch((error) => {
        change.waiting = undefined
        // The next attempt requests another link.
        if (error instanceof ServiceRefusal && error.status === 410) delete change.link
        throw error
      })
      return change.waiting
    },
    async updateEmailSecondary(code) {
      const change = getStarted()
      const { id, movedContact } = change
      // If the share store fails, only its part is repeated.
      const email = (change.done ??= (await account.updateEmailSecondary({ id, code })).email)
      if (movedContact !== undefined) await (await stores()).shares.changeContact({ email, current: movedContact })
      started = undefined
      const user = await session.user()
      if (user !== undefined) await session.save({ ...user, email })
      await known.add(email)
      return { newEmail: email }
    },
  }
}

/** Asks the share store to mail its link to the new address, once for each change. */
async function requestConfirmation(
  shares: ServiceRequest,
  projectId: string,
  change: StartedChange,
): Promise<AddressConfirmation> {
  const { email, origin } = change
  if (change.link === undefined) {
    const { id, match } = await shares('POST', '/shares/v1/links', { email, projectId, origin, purpose: 'contact' })
    change.link = { id: String(id), match: String(match) }
  }
  return { email, match: change.link.match }
}
