import type { SecretClipboard } from './clipboard.ts'
import { exportIntroScreen, secretsScreen } from './exportScreens.ts'
import { freshly, logIn } from './freshly.ts'
import type { OwnPage } from './page.ts'

export type ExportParts = {
  readonly clipboard: SecretClipboard
  later(act: () => void, milliseconds: number): () => void
}

/**
 * Shows the secrets of a wallet, after a fresh login, as long as one is there to see them.
 *
 * @returns when the visitor is done, or would rather not
 */
export async function runExport(page: OwnPage, { clipboard, later }: ExportParts): Promise<void> {
  const { words, holder, show } = page
  if ((await show(exportIntroScreen(words))) === 'leave') return
  if ((await holder.restore()) === undefined) await logIn(page)
  const secrets = await freshly(page, () => holder.reveal())
  if (secrets === undefined) return
  await show(secretsScreen({ words, secrets, clipboard, later }))
  await holder.lock()
}
