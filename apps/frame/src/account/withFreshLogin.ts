import { h, createIcon } from '../screens/elements/h.ts'
import { parseFailure, messageForUser } from '../screens/failure.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import { drawWaiting } from '../screens/elements/drawFailure.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen } from '../screens/stage/steps.ts'
import type { RecoveryMethodInfo } from '../worker/keyHolder.ts'
import { loginScreen } from './loginScreen.ts'
import type { TopLevelPage } from './topLevelPage.ts'

/**
 * Runs an action that requires a fresh login. The user logs in again if the service asks for it, and uses a passkey if
 * the device is too new.
 *
 * @returns `undefined` if the user cancelled or the service refused permanently
 */
export async function withFreshLogin<result extends object>(
  page: TopLevelPage,
  act: () => Promise<result>,
): Promise<result | undefined> {
  let isProven = false
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      return await page.show(createWaitScreen(page, act)).then(valueOrThrow)
    } catch (error) {
      const { field } = parseFailure(error)
      if (field === 'fresh') await logIn(page)
      else if (field !== 'deviceAge' || isProven || !(await tryPasskey(page, error))) {
        const retry = await page.show(refusalScreen(page, error))
        if (retry === 'leave') return undefined
      } else isProven = true
    }
  }
  return undefined
}

/** Shows the login screen. */
export async function logIn({ show, messages, holder, passkeys, config, from }: TopLevelPage) {
  return show(
    loginScreen({
      messages,
      holder,
      passkeys,
      origin: config.origin,
      social: from.social,
      openWindow: (url) => window.open(url, '_blank', 'popup,width=480,height=720') !== null,
    }),
  )
}

type Outcome<result> = { readonly value: result } | { readonly error: unknown }

function createWaitScreen<result>({ messages }: TopLevelPage, act: () => Promise<result>): Screen<Outcome<result>> {
  return createScreen(({ root, finish }) => {
    drawWaiting(root, { title: messages.common.waiting })
    void act().then(
      (value) => finish({ value }),
      (error: unknown) => finish({ error }),
    )
  })
}

function valueOrThrow<result>(outcome: Outcome<result>): result {
  if ('value' in outcome) return outcome.value
  throw outcome.error
}

/** Offers the wallet's passkey as a proof for this device. */
async function tryPasskey(page: TopLevelPage, error: unknown): Promise<boolean> {
  const { holder, passkeys, show } = page
  const ids = (await holder.recoveryMethods()).filter(isPasskey).map(({ id }) => id)
  if (ids.length === 0) return false
  if ((await show(refusalScreen(page, error, page.messages.recover.usePasskey))) === 'leave') return false
  const { signal } = new AbortController()
  const outcome = await passkeys.use({ ...(await holder.createPasskeyRequest()), ids, signal })
  if (outcome.kind !== 'used') return false
  outcome.passkey.output.fill(0)
  await holder.provePasskey(outcome.passkey.proof)
  return true
}

const isPasskey = ({ method }: RecoveryMethodInfo): boolean => method === 'passkey'

function refusalScreen(
  { messages }: TopLevelPage,
  error: unknown,
  next = messages.common.retry,
): Screen<'retry' | 'leave'> {
  return createScreen(({ root, finish }) => {
    drawLayout(root, {
      title: messages.exporting.refused,
      content: [
        h(
          'div',
          { class: 'status-panel', 'data-tone': 'danger' },
          createIcon('failed'),
          h('p', { class: 'hint', role: 'alert', dir: 'auto' }, messageForUser(error, messages)),
        ),
      ],
      actions: [
        createButton({ text: next, look: 'primary', press: () => finish('retry') }),
        createButton({ text: messages.common.back, look: 'quiet', press: () => finish('leave') }),
      ],
    })
  })
}
