import { h, icon } from '../screens/dom.ts'
import { failureOf, sentenceOf } from '../screens/failure.ts'
import { button, layOut } from '../screens/layout.ts'
import { drawWaiting } from '../screens/standing.ts'
import type { Screen } from '../screens/stage.ts'
import { screenOf } from '../screens/steps.ts'
import type { ShownWay } from '../worker/keyHolder.ts'
import { loginScreen } from './loginScreen.ts'
import type { OwnPage } from './page.ts'

/**
 * Does what only a fresh login may: when the service says that it is not fresh, one logs in, and when it says that the
 * device is too new, a passkey vouches for it where there is one.
 *
 * @returns undefined when it was given up, or refused for good; the visitor was told then
 */
export async function freshly<result extends object>(
  page: OwnPage,
  act: () => Promise<result>,
): Promise<result | undefined> {
  let isProven = false
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      return await page.show(waitingFor(page, act)).then(valueOf)
    } catch (error) {
      const { field } = failureOf(error)
      if (field === 'fresh') await logIn(page)
      else if (field !== 'device' || isProven || !(await provenByPasskey(page, error))) {
        const retry = await page.show(refusalScreen(page, error))
        if (retry === 'leave') return undefined
      } else isProven = true
    }
  }
  return undefined
}

/** Logs in on this page. */
export async function logIn({ show, words, holder, passkeys, config, from }: OwnPage) {
  return show(
    loginScreen({
      words,
      holder,
      passkeys,
      origin: config.origin,
      social: from.social,
      openWindow: (url) => window.open(url, '_blank', 'popup,width=480,height=720') !== null,
    }),
  )
}

type Outcome<result> = { readonly value: result } | { readonly error: unknown }

function waitingFor<result>({ words }: OwnPage, act: () => Promise<result>): Screen<Outcome<result>> {
  return screenOf(({ root, finish }) => {
    drawWaiting(root, { title: words.common.waiting })
    void act().then(
      (value) => finish({ value }),
      (error: unknown) => finish({ error }),
    )
  })
}

function valueOf<result>(outcome: Outcome<result>): result {
  if ('value' in outcome) return outcome.value
  throw outcome.error
}

/** Offers the passkey that the wallet has, and lets it vouch for this device. */
async function provenByPasskey(page: OwnPage, error: unknown): Promise<boolean> {
  const { holder, passkeys, show } = page
  const ids = (await holder.ways()).filter(isPasskey).map(({ id }) => id)
  if (ids.length === 0) return false
  if ((await show(refusalScreen(page, error, page.words.recover.usePasskey))) === 'leave') return false
  const { signal } = new AbortController()
  const outcome = await passkeys.use({ ...(await holder.passkeyAsk()), ids, signal })
  if (outcome.kind !== 'used') return false
  outcome.passkey.output.fill(0)
  await holder.provePasskey(outcome.passkey.proof)
  return true
}

const isPasskey = ({ method }: ShownWay): boolean => method === 'passkey'

function refusalScreen({ words }: OwnPage, error: unknown, next = words.common.retry): Screen<'retry' | 'leave'> {
  return screenOf(({ root, finish }) => {
    layOut(root, {
      title: words.exporting.refused,
      content: [
        h(
          'div',
          { class: 'standing', 'data-tone': 'danger' },
          icon('failed'),
          h('p', { class: 'hint', role: 'alert', dir: 'auto' }, sentenceOf(error, words)),
        ),
      ],
      actions: [
        button({ text: next, look: 'primary', press: () => finish('retry') }),
        button({ text: words.common.back, look: 'quiet', press: () => finish('leave') }),
      ],
    })
  })
}
