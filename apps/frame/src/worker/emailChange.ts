import type { AccountService } from '../services/accountService.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import type { KeyShareStores } from '../wallet/enrol.ts'
import type { KeyHolder } from './keyHolder.ts'
import type { KnownLogins } from './login/knownLogins.ts'
import type { Session } from './login/session.ts'

type EmailChange = Pick<KeyHolder, 'updateEmail' | 'updateEmailPrimary' | 'updateEmailSecondary'>

export type EmailChangeDependencies = {
  readonly account: AccountService
  readonly projectId: string
  readonly session: Pick<Session, 'user' | 'save'>
  readonly known: Pick<KnownLogins, 'add'>
  /** Key share stores of the user. @throws ServiceRefusal 401 */
  stores(): Promise<KeyShareStores>
}

/** A change of the address: the contact that moves with it, and the new address once the auth service has changed it. */
type StartedChange = { readonly id: string; readonly movedContact: string | undefined; readonly done?: string }

/** Creates the change of the login's address, and of the contact that approves new devices at the share store. */
export function createEmailChange(dependencies: EmailChangeDependencies): EmailChange {
  const { account, projectId, session, known, stores } = dependencies
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
      started = { id, movedContact }
      return { action }
    },
    updateEmailPrimary: async (code) => account.updateEmailPrimary({ id: getStarted().id, code }),
    async updateEmailSecondary(code) {
      const { id, movedContact, done } = getStarted()
      // If the share store fails, only its part is repeated.
      const email = done ?? (await account.updateEmailSecondary({ id, code })).email
      started = { id, movedContact, done: email }
      if (movedContact !== undefined) await (await stores()).shares.changeContact({ email, current: movedContact })
      started = undefined
      const user = await session.user()
      if (user !== undefined) await session.save({ ...user, email })
      await known.add(email)
      return { newEmail: email }
    },
  }
}
