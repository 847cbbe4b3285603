import { devicesScreen } from '../screens/devices.ts'
import { waysScreen } from '../screens/recovery/ways.ts'
import type { HolderUser } from '../worker/keyHolder.ts'
import { freshly, logIn } from './freshly.ts'
import { deletionScreen, homeScreen } from './homeScreen.ts'
import type { OwnPage } from './page.ts'

/**
 * The page on which one looks after one's wallet: addresses, ways to get it back, devices, deletion.
 *
 * @param leave goes to the page that exports
 */
export async function runAccount(page: OwnPage, leave: () => void): Promise<void> {
  const { words, holder, config, show } = page
  let user = (await holder.restore()) ?? (await logIn(page))
  let done: string | undefined
  for (;;) {
    const answer = await show(homeScreen({ words, user, networks: config.networks, done }))
    done = undefined
    if (answer === 'export') return leave()
    if (answer === 'recovery') await show(recovery(page, user))
    if (answer === 'devices') await show(devicesScreen({ words, holder, passkeys: page.passkeys }))
    if (answer === 'delete') user = { ...user, deletionAt: await requestDeletion(page) }
    if (answer === 'keep') {
      const kept = await freshly(page, async () => ({ kept: await holder.cancelDeletion() }))
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

function recovery({ words, holder, passkeys, config }: OwnPage, { email, userName, id }: HolderUser) {
  const split = new URL(config.auth).origin !== new URL(config.shares).origin
  return waysScreen({ words, holder, passkeys, userName: email ?? userName ?? id, split })
}

async function requestDeletion(page: OwnPage): Promise<number | undefined> {
  if ((await page.show(deletionScreen(page.words))) === 'keep') return undefined
  const asked = await freshly(page, () => page.holder.requestDeletion())
  return asked?.at
}
