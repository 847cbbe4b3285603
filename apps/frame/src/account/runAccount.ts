import { operatorsOf } from '../operatorsOf.ts'
import { devicesScreen } from '../screens/devicesScreen.ts'
import { policyScreen } from '../screens/policy/policyScreen.ts'
import { requestsScreen } from '../screens/policy/requestsScreen.ts'
import { runRecovery } from '../screens/recovery/runRecovery.ts'
import type { HolderUser } from '../worker/keyHolder.ts'
import { withFreshLogin, logIn } from './withFreshLogin.ts'
import { deletionScreen, homeScreen } from './homeScreen.ts'
import type { TopLevelPage } from './topLevelPage.ts'

/**
 * Runs the account page: addresses, recovery methods, devices, permissions and deletion.
 *
 * @param leave opens the export page
 */
export async function runAccount(page: TopLevelPage, leave: () => void): Promise<void> {
  const { messages, holder, config, show } = page
  let user = (await holder.restore()) ?? (await logIn(page))
  let done: string | undefined
  for (;;) {
    const result = await show(homeScreen({ messages, user, networks: config.networks, done }))
    done = undefined
    if (result === 'export') return leave()
    if (result === 'recovery') await createRecoveryScreen(page, user)
    if (result === 'devices') await show(devicesScreen({ messages, holder, passkeys: page.passkeys }))
    if (result === 'permissions') await (await import('./runPermissions.ts')).runPermissions(page, user)
    if (result === 'policy')
      await show(policyScreen({ messages, holder, passkeys: page.passkeys, networks: config.networks }))
    if (result === 'requests') await show(requestsScreen({ messages, holder, networks: config.networks }))
    if (result === 'delete') user = { ...user, deletionAt: await requestDeletion(page) }
    if (result === 'keep') {
      const canceled = await withFreshLogin(page, async () => ({ canceled: await holder.cancelDeletion() }))
      if (canceled === undefined) continue
      user = { ...user, deletionAt: undefined }
      done = messages.account.kept
    }
    if (result === 'logOut') {
      await holder.signOut()
      user = await logIn(page)
    }
  }
}

function createRecoveryScreen({ messages, holder, passkeys, config, show }: TopLevelPage, user: HolderUser) {
  const { email, userName, id, social } = user
  const props = { messages, holder, passkeys, userName: email ?? userName ?? id, ...operatorsOf(config, social) }
  return runRecovery(props, show)
}

async function requestDeletion(page: TopLevelPage): Promise<number | undefined> {
  if ((await page.show(deletionScreen(page.messages))) === 'keep') return undefined
  const deletion = await withFreshLogin(page, () => page.holder.requestDeletion())
  return deletion?.at
}
