import type { Messages } from '../messages/loadFrameMessages.ts'
import { h, type Child } from './elements/h.ts'
import { createButton, drawLayout } from './elements/layout.ts'
import { originLine } from './elements/originLine.ts'
import { shownText } from './elements/shownText.ts'
import { createScreen } from './stage/steps.ts'
import type { Screen } from './stage/stage.ts'

/** A request to change the login's e-mail address. */
export type EmailChangeFacts = {
  /** Origin that the browser reports, never one that the page claims. */
  readonly origin: string
  /** The address of the login. `undefined` for a login without an address. */
  readonly email: string | undefined
  readonly newEmail: string
}

/**
 * Asks whether the login may move to another e-mail address, before any mail is sent. The page enters both codes, so
 * without this screen a page could take over the login with codes that look like login codes to the user [C-01].
 */
export function emailChangeScreen(messages: Messages, facts: EmailChangeFacts): Screen<'confirmed' | 'refused'> {
  const { emailChange: texts, common, approve } = messages
  const { origin, email, newEmail } = facts
  const row = (label: string, value: Child): Child => h('div', {}, h('dt', {}, label), h('dd', {}, value))
  const address = (text: string): Child => h('bdi', { class: 'untrusted' }, ...shownText(toAsciiDomain(text)))
  const screen = createScreen<'confirmed' | 'refused'>(({ root, finish }) => {
    const refuse = createButton({ text: common.cancel, look: 'quiet', press: () => finish('refused') })
    drawLayout(root, {
      title: texts.title,
      content: [
        h(
          'dl',
          { class: 'facts' },
          row(approve.asks, originLine(origin)),
          email === undefined ? undefined : row(texts.from, address(email)),
          row(texts.to, address(newEmail)),
        ),
        h('p', { class: 'hint' }, texts.hint),
      ],
      actions: [
        createButton({ text: texts.confirm, look: 'primary', guarded: true, press: () => finish('confirmed') }),
        refuse,
      ],
    })
    refuse.focus({ preventScroll: true })
  }, true)
  return { ...screen, window: { drawing: 'emailChange', facts } }
}

/** Converts the domain to ASCII (IDNA), which prevents look-alike letters. Invalid addresses stay as they are. */
function toAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@')
  const url = `http://${email.slice(at + 1)}`
  return at > 0 && URL.canParse(url) ? `${email.slice(0, at)}@${new URL(url).host}` : email
}
