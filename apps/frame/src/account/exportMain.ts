import { readConfig } from '../page/readConfig.ts'
import { startHolder } from '../page/startHolder.ts'
import { createSecretClipboard } from './clipboard.ts'
import { runExport } from './exportPage.ts'
import { openPage } from './page.ts'

const later = (act: () => void, milliseconds: number): (() => void) => {
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}
const clipboard = createSecretClipboard({
  clipboard: navigator.clipboard,
  later,
  whenFocused: (act) => (document.hasFocus() ? act() : window.addEventListener('focus', act, { once: true })),
})
const page = await openPage({ window, config: readConfig(document), startHolder })
if (page !== undefined) {
  await runExport(page, { clipboard, later })
  location.assign(`../account/${location.search}`)
}
