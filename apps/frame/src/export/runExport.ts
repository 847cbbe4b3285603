import type { SecretClipboard } from './secretClipboard.ts'
import { exportIntroScreen, secretsScreen } from './secretsScreen.ts'
import { withFreshLogin, logIn } from '../account/withFreshLogin.ts'
import type { TopLevelPage } from '../account/topLevelPage.ts'

export type ExportDependencies = {
  readonly clipboard: SecretClipboard
  later(act: () => void, milliseconds: number): () => void
}

/**
 * Shows the wallet's secrets after a fresh login.
 *
 * @returns once the user is done or has cancelled
 */
export async function runExport(page: TopLevelPage, { clipboard, later }: ExportDependencies): Promise<void> {
  const { words, holder, show } = page
  if ((await show(exportIntroScreen(words))) === 'leave') return
  if ((await holder.restore()) === undefined) await logIn(page)
  const secrets = await withFreshLogin(page, () => holder.reveal())
  if (secrets === undefined) return
  await show(secretsScreen({ words, secrets, clipboard, later }))
  await holder.lock()
}
