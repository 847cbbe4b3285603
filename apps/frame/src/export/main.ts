import { schedule } from '../platform/schedule.ts'
import { parseFrameConfig } from '../page/parseFrameConfig.ts'
import { startHolder } from '../page/startHolder.ts'
import { createSecretClipboard } from './secretClipboard.ts'
import { runExport } from './runExport.ts'
import { openTopLevelPage } from '../account/topLevelPage.ts'

const clipboard = createSecretClipboard({
  clipboard: navigator.clipboard,
  later: schedule,
  whenFocused: (act) => (document.hasFocus() ? act() : window.addEventListener('focus', act, { once: true })),
})
const page = await openTopLevelPage({ window, config: parseFrameConfig(document), startHolder })
if (page !== undefined) {
  await runExport(page, { clipboard, later: schedule })
  location.assign(`../account/${location.search}`)
}
