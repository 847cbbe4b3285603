import { devicesScreen } from '../screens/devicesScreen.ts'
import { runRecovery } from '../screens/recovery/runRecovery.ts'
import type { HolderUser } from '../worker/keyHolder.ts'
import { withFreshLogin, logIn } from './withFreshLogin.ts'
import { deletionScreen, homeScreen } from './homeScreen.ts'
import type { TopLevelPage } from './topLevelPage.ts'

/**
 * Runs the account page: addresses, recovery methods, devices and deletion.
 *
 * @param leave opens the export page
 */
export async function runAccount(page: TopLevelPage, leave: () => void): Promise<void> {
  const { words, holder, config, show } = page
  let user = (await holder.restore()) ?? (await logIn(page))
  let done: string | undefined
  for (;;) {
    const answer = await show(homeScreen({ words, user, networks: config.networks, done }))
    done = undefined
    if (answer === 'export') return leave()
    if (answer === 'recovery') await recovery(page, user)
    if (answer === 'devices') await show(devicesScreen({ words, holder, passkeys: page.passkeys }))
    if (answer === 'delete') user = { ...user, deletionAt: await requestDeletion(page) }
    if (answer === 'keep') {
      const kept = await withFreshLogin(page, async () => ({ kept: await holder.cancelDeletion() }))
      if (kept === undefined) continue
      user = { ...user, deletionAt: undefined }
      done = words.account.kept
    }
    if (answer === 'logOut') {
      await holder.signOut()
      user = await logIn(page)
    }
  }
}

function recovery({ words, holder, passkeys, config, show }: TopLevelPage, { email, userName, id }: HolderUser) {
  const split = new URL(config.auth).origin !== new URL(config.shares).origin
  return runRecovery({ words, holder, passkeys, userName: email ?? userName ?? id, split }, show)
}

async function requestDeletion(page: TopLevelPage): Promise<number | undefined> {
  if ((await page.show(deletionScreen(page.words))) === 'keep') return undefined
  const deletion = await withFreshLogin(page, () => page.holder.requestDeletion())
  return deletion?.at
}
