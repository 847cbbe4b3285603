import { secretsOf } from '../custody/secrets.ts'
import type { Account } from '../services/account.ts'
import { ServiceRefusal } from '../services/ask.ts'
import { readBytes } from '../services/bytes.ts'
import type { Keepers, OpenWallet } from '../wallet/enrol.ts'
import { rotate, type WayOf } from '../wallet/rotate.ts'
import type { KeyHolder, WayAnswer } from './keyHolder.ts'

export type AccountVerbs = Pick<
  KeyHolder,
  | 'updateEmail'
  | 'updateEmailPrimary'
  | 'updateEmailSecondary'
  | 'devices'
  | 'revokeDevice'
  | 'reveal'
  | 'requestDeletion'
  | 'cancelDeletion'
>

export type AccountParts = {
  readonly account: Account
  readonly projectId: string
  readonly isFramed: boolean
  /** Of who is logged in. @throws ServiceRefusal 401 */
  keepers(): Promise<Keepers>
  wayOf(answers: readonly WayAnswer[]): WayOf
  /** Takes over a wallet that was opened. */
  opened(wallet: OpenWallet): void
  /** The caller's own copy of what the wallet grows from. */
  entropy(): Promise<Uint8Array>
  /** Remembers another address of who is logged in. */
  renamed(email: string): Promise<void>
}

/** What who is logged in does with his account. */
export function createAccountVerbs(parts: AccountParts): AccountVerbs {
  const { account, projectId, isFramed, keepers, wayOf, opened, entropy, renamed } = parts
  let update: string | undefined
  const begun = (): string => {
    if (update === undefined) throw new ServiceRefusal(409, 'email', 'Begin with the new address.')
    return update
  }

  return {
    async updateEmail({ email, origin }) {
      const { id, action } = await account.updateEmail({ email, projectId, origin })
      update = id
      return { action }
    },
    updateEmailPrimary: (code) => account.updateEmailPrimary({ id: begun(), code }),
    async updateEmailSecondary(code) {
      const { email } = await account.updateEmailSecondary({ id: begun(), code })
      update = undefined
      await (await keepers()).shares.changeContact(email)
      await renamed(email)
      return { newEmail: email }
    },
    devices: async () => (await account.devices()).map(({ origin = '', ...device }) => ({ ...device, origin })),
    async revokeDevice(setId, { stolen, staying = [] }) {
      const kept = await keepers()
      const id = readBytes(setId)
      // In this order: the next epoch leaves nothing by which the services would know which device is meant. Who is asked
      // for a way meanwhile does all of it again, which changes nothing.
      await kept.auth.revoke(id)
      await kept.shares.remove(id)
      if (stolen) opened(await rotate(kept, { wayOf: wayOf(staying) }))
    },
    async reveal() {
      // No page that another one embeds has ever a reason to.
      if (isFramed) throw new ServiceRefusal(403, 'page', 'Secrets are shown on this site’s own page only.')
      await account.noteExport()
      const grown = await entropy()
      try {
        return await secretsOf(grown)
      } finally {
        grown.fill(0)
      }
    },
    async requestDeletion() {
      const { at } = await account.requestDeletion()
      await (await keepers()).shares.requestDeletion()
      return { at }
    },
    async cancelDeletion() {
      await account.cancelDeletion()
      await (await keepers()).shares.cancelDeletion()
    },
  }
}
