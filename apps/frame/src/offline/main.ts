import '../screens/frame.css'
import { exportSecrets } from '../custody/secrets.ts'
import { stretchWithArgon2 } from '../custody/stretchWithArgon2.ts'
import { createSecretClipboard } from '../export/secretClipboard.ts'
import { secretsScreen } from '../export/secretsScreen.ts'
import { loadFrameMessages } from '../messages/loadFrameMessages.ts'
import { schedule } from '../platform/schedule.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { deriveAccounts } from '../wallet/enrol.ts'
import { addressesScreen } from './addressesScreen.ts'
import { recoverFileScreen } from './recoverFileScreen.ts'

const messages = await loadFrameMessages(navigator.languages)
document.documentElement.lang = messages.locale
document.documentElement.dir = messages.direction
document.title = `${messages.offline.title} · Latchkey`

const root = document.querySelector<HTMLElement>('#stage')
if (root === null) throw new Error('The page has no stage.')

async function showScreen<result>(screen: Screen<result>, stage: HTMLElement): Promise<result> {
  let clear: (() => void) | undefined
  try {
    return await new Promise((resolve) => {
      clear = screen.draw(stage, resolve)
    })
  } finally {
    clear?.()
  }
}

const clipboard = createSecretClipboard({
  clipboard: navigator.clipboard,
  later: schedule,
  whenFocused: (act) => (document.hasFocus() ? act() : window.addEventListener('focus', act, { once: true })),
})

for (;;) {
  const entropy = await showScreen(recoverFileScreen({ messages, stretch: stretchWithArgon2 }), root)
  await showScreen(addressesScreen(messages, await deriveAccounts(entropy)), root)
  const secrets = await exportSecrets(entropy)
  entropy.fill(0)
  await showScreen(
    secretsScreen({ messages, secrets, notice: messages.exporting.warningHint, clipboard, later: schedule }),
    root,
  )
}
