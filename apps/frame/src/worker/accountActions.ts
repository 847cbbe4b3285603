import { exportSecrets } from '../custody/secrets.ts'
import type { AccountService } from '../services/accountService.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { fromBase64url } from '../services/toBase64url.ts'
import type { KeyShareStores, OpenWallet } from '../wallet/enrol.ts'
import { rotate } from '../wallet/rotate.ts'
import type { GetMethodKey } from '../wallet/unwrapWithAny.ts'
import type { KeyHolder, RecoveryCredential } from './keyHolder.ts'

export type AccountActions = Pick<
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

export type AccountActionsDependencies = {
  readonly account: AccountService
  readonly projectId: string
  readonly isFramed: boolean
  /** Key share stores of the user. @throws ServiceRefusal 401 */
  stores(): Promise<KeyShareStores>
  getMethodKey(answers: readonly RecoveryCredential[]): GetMethodKey
  /** Receives an opened wallet and owns its secrets. */
  opened(wallet: OpenWallet): void
  /** Returns a copy of the wallet's entropy that the caller has to wipe. */
  entropy(): Promise<Uint8Array>
  /** Stores the user's new e-mail address. */
  renamed(email: string): Promise<void>
}

/** Creates the account actions of the logged-in user. */
export function createAccountActions(dependencies: AccountActionsDependencies): AccountActions {
  const { account, projectId, isFramed, stores, getMethodKey, opened, entropy, renamed } = dependencies
  let update: string | undefined
  const begun = (): string => {
    if (update === undefined) throw new ServiceRefusal(409, 'email', 'Enter the new address first.')
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
      await (await stores()).shares.changeContact(email)
      await renamed(email)
      return { newEmail: email }
    },
    devices: async () => (await account.devices()).map(({ origin = '', ...device }) => ({ ...device, origin })),
    async revokeDevice(setId, { stolen, credentials = [] }) {
      const stored = await stores()
      const id = fromBase64url(setId)
      // Revoke first: after the rotation the services could no longer tell which device is meant. If a recovery
      // method is needed, the whole action runs again, which is idempotent.
      await stored.auth.revoke(id)
      await stored.shares.remove(id)
      if (stolen) opened(await rotate(stored, { getMethodKey: getMethodKey(credentials) }))
    },
    async reveal() {
      // An embedded page never needs the secrets.
      if (isFramed) throw new ServiceRefusal(403, 'page', 'Secrets are shown on a top-level page only.')
      await account.noteExport()
      const secret = await entropy()
      try {
        return await exportSecrets(secret)
      } finally {
        secret.fill(0)
      }
    },
    async requestDeletion() {
      const { at } = await account.requestDeletion()
      await (await stores()).shares.requestDeletion()
      return { at }
    },
    async cancelDeletion() {
      await account.cancelDeletion()
      await (await stores()).shares.cancelDeletion()
    },
  }
}
