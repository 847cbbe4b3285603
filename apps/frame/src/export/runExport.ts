import type { SecretClipboard } from './secretClipboard.ts'
import { filePasswordScreen } from './filePasswordScreen.ts'
import { fileScreen } from './fileScreen.ts'
import { exportIntroScreen, secretsScreen } from './secretsScreen.ts'
import { withFreshLogin, logIn } from '../account/withFreshLogin.ts'
import type { TopLevelPage } from '../account/topLevelPage.ts'

export type ExportDependencies = {
  readonly clipboard: SecretClipboard
  later(act: () => void, milliseconds: number): () => void
}

/**
 * Shows the wallet's secrets, or creates a recovery file, after a fresh login.
 *
 * @returns once the user is done or has cancelled
 */
export async function runExport(page: TopLevelPage, { clipboard, later }: ExportDependencies): Promise<void> {
  const { messages, holder, show } = page
  const choice = await show(exportIntroScreen(messages))
  if (choice === 'leave') return
  if (choice === 'file') return runFileExport(page)
  if ((await holder.restore()) === undefined) await logIn(page)
  const secrets = await withFreshLogin(page, () => holder.reveal())
  if (secrets === undefined) return
  await show(secretsScreen({ messages, secrets, notice: messages.exporting.notice, clipboard, later }))
  await holder.lock()
}

async function runFileExport(page: TopLevelPage): Promise<void> {
  const { messages, holder, show } = page
  const chosen = await show(filePasswordScreen(messages))
  if (chosen === 'leave') return
  if ((await holder.restore()) === undefined) await logIn(page)
  const created = await withFreshLogin(page, async () => ({ file: await holder.recoveryFile(chosen.password) }))
  if (created === undefined) return
  await show(fileScreen(messages, created.file))
  await holder.lock()
}
