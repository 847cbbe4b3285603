import { h } from '../screens/dom.ts'
import { sentenceOf } from '../screens/failure.ts'
import { button, labelledField, layOut } from '../screens/layout.ts'
import type { Passkeys } from '../screens/recovery/passkeys.ts'
import { recoverScreen } from '../screens/recovery/recover.ts'
import { drawFailure, drawWaiting, problemLine } from '../screens/standing.ts'
import type { Screen } from '../screens/stage.ts'
import { afterwards, screenOf, type Steps } from '../screens/steps.ts'
import type { Words } from '../words/words.ts'
import type { Entered, HolderUser, KeyHolder } from '../worker/keyHolder.ts'

/** Whom one may log in with beside the mail. */
export type LoginProvider = keyof typeof namesOfProviders

export type LoginParts = {
  readonly words: Words
  readonly holder: KeyHolder
  readonly passkeys: Passkeys
  /** This site's own. */
  readonly origin: string
  /** The provider that the visitor uses, if any: offered beside the e-mail address. */
  readonly social?: LoginProvider
  /** @returns whether a window opened */
  openWindow(url: string): boolean
}

const namesOfProviders = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
} as const

/** Logs in on a page of this site's own, afresh, and opens the wallet there. */
export function loginScreen(parts: LoginParts): Screen<HolderUser> {
  return screenOf((steps) => drawEmail(steps, parts))
}

type LoginSteps = Steps<HolderUser>

function drawEmail(steps: LoginSteps, parts: LoginParts, problem?: string): void {
  const { words, social } = parts
  const { login, common } = words
  const email = labelledField(login.email, {
    id: 'email',
    type: 'email',
    autocomplete: 'email',
    'aria-describedby': 'problem',
  })
  const { line, say } = problemLine('problem')
  layOut(steps.root, {
    title: login.title,
    content: [
      h('p', { class: 'hint' }, login.hint),
      email.box,
      line,
      social &&
        h(
          'div',
          { class: 'group' },
          h('p', { class: 'hint' }, login.or),
          button({ text: login.social(namesOfProviders[social]), press: () => openSocial(steps, parts, social) }),
        ),
    ],
    actions: [button({ text: common.next, look: 'primary' })],
    submit() {
      const address = email.input.value.trim()
      if (/^[^\s@]+@[^\s@]+$/.test(address)) return send(steps, parts, address)
      say(login.invalid)
      email.input.setAttribute('aria-invalid', 'true')
      email.input.focus()
    },
  })
  say(problem)
}

function send(steps: LoginSteps, parts: LoginParts, email: string): void {
  const { words, holder, origin } = parts
  const restart = (error: unknown): void => drawEmail(steps, parts, sentenceOf(error, words))
  drawWaiting(steps.root, { title: words.login.title })
  afterwards(steps, holder.sendCode({ email, origin, fresh: true }), {
    done({ action, match }) {
      if (action !== 'VERIFY_DEVICE') return drawCode(steps, parts, email)
      drawDevice(steps, parts, words.login.deviceHint(email), match)
      afterwards(steps, holder.awaitDevice(), { done: () => drawCode(steps, parts, email), failed: restart })
    },
    failed: restart,
  })
}

function drawDevice(steps: LoginSteps, parts: LoginParts, hint: string, match: string | undefined): void {
  const { login } = parts.words
  layOut(steps.root, {
    title: login.deviceTitle,
    content: [
      h('p', { class: 'hint' }, hint),
      h(
        'div',
        { class: 'standing', role: 'status' },
        h('p', { class: 'hint' }, login.match),
        h('p', { class: 'match' }, match),
        h('div', { class: 'spinner', 'aria-hidden': true }),
      ),
    ],
    actions: [button({ text: login.restart, look: 'quiet', press: () => drawEmail(steps, parts) })],
  })
}

function drawCode(steps: LoginSteps, parts: LoginParts, email: string, problem?: string): void {
  const { words, holder } = parts
  const { login, common } = words
  const code = labelledField(login.code, {
    id: 'code',
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: 12,
    'data-code': true,
    'aria-describedby': 'problem',
  })
  const { line, say } = problemLine('problem')
  const submit = (): void => {
    const digits = code.input.value.replaceAll(/\D/g, '')
    if (digits.length !== 6) {
      say(login.wrongCode)
      code.input.focus()
      return
    }
    drawWaiting(steps.root, { title: words.recover.working })
    afterwards(steps, holder.redeem(digits), {
      done: (entered) => enter(steps, parts, entered),
      failed: (error) => drawCode(steps, parts, email, sentenceOf(error, words)),
    })
  }
  code.input.addEventListener('input', () => {
    if (code.input.value.replaceAll(/\D/g, '').length === 6) submit()
  })
  layOut(steps.root, {
    title: login.codeTitle,
    content: [h('p', { class: 'hint' }, login.codeHint(email)), code.box, line],
    actions: [
      button({ text: common.next, look: 'primary' }),
      button({ text: login.restart, look: 'quiet', press: () => drawEmail(steps, parts) }),
    ],
    submit,
  })
  say(problem)
  code.input.focus()
}

/** A new device may want a password or a passkey before the wallet is open. */
function enter(steps: LoginSteps, parts: LoginParts, entered: Entered): void {
  if ('user' in entered) return steps.finish(entered.user)
  if ('match' in entered) return awaitApproval(steps, parts, entered.match)
  const { words, holder, passkeys } = parts
  const { draw } = recoverScreen({ words, ways: entered.ways, holder, passkeys })
  steps.signal.addEventListener('abort', draw(steps.root, steps.finish))
}

/** Providers that cannot vouch for a new device leave that to a mail. */
function awaitApproval(steps: LoginSteps, parts: LoginParts, match: string): void {
  const { words, holder } = parts
  drawDevice(steps, parts, words.login.approvalHint, match)
  afterwards(steps, holder.awaitApproval(), {
    done: (entered) => enter(steps, parts, entered),
    failed: (error) => drawEmail(steps, parts, sentenceOf(error, words)),
  })
}

function openSocial(steps: LoginSteps, parts: LoginParts, provider: LoginProvider): void {
  const { words, holder, origin } = parts
  const { login } = words
  const name = namesOfProviders[provider]
  const restart = (error: unknown): void => drawEmail(steps, parts, sentenceOf(error, words))
  drawWaiting(steps.root, { title: login.socialTitle(name) })
  afterwards(steps, begin(), { done: open, failed: restart })

  async function begin(): Promise<string> {
    if (provider === 'farcaster') return (await holder.beginFarcaster({ origin })).url
    return (await holder.beginSocial({ provider, origin })).uri
  }

  function open(uri: string): void {
    if (!parts.openWindow(uri)) {
      return drawFailure(steps.root, words, {
        title: login.socialTitle(name),
        sentence: login.blocked,
        retry: () => open(uri),
        leave: () => drawEmail(steps, parts),
      })
    }
    drawWaiting(steps.root, { title: login.socialTitle(name), hint: login.socialHint })
    const entered = provider === 'farcaster' ? holder.awaitFarcaster() : holder.awaitSocial()
    afterwards(steps, entered, { done: (done) => enter(steps, parts, done), failed: restart })
  }
}
