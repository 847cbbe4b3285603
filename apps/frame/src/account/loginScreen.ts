import { h } from '../screens/elements/h.ts'
import { messageForUser } from '../screens/failure.ts'
import { createButton, labelledField, drawLayout } from '../screens/elements/layout.ts'
import type { Passkeys } from '../screens/recovery/passkeys.ts'
import { deviceApprovalScreen } from '../page/deviceApprovalScreen.ts'
import { deviceWaitScreen } from '../page/deviceWaitScreen.ts'
import { recoverScreen } from '../screens/recovery/recoverScreen.ts'
import { drawFailure, drawWaiting, problemLine } from '../screens/elements/drawFailure.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { whenDone, createScreen, type Steps } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { LoginResult, HolderUser, KeyHolder } from '../worker/keyHolder.ts'

/** Identity providers offered in addition to e-mail. */
export type LoginProvider = keyof typeof namesOfProviders

export type LoginScreenProps = {
  readonly messages: Messages
  readonly holder: KeyHolder
  readonly passkeys: Passkeys
  /** Origin of this site. */
  readonly origin: string
  /** The user's provider. Offered in addition to the e-mail address. */
  readonly social?: LoginProvider
  /** @returns true if a window opened */
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

/** Logs in on a top-level page of this site and opens the wallet. */
export function loginScreen(props: LoginScreenProps): Screen<HolderUser> {
  return createScreen((steps) => drawEmail(steps, props))
}

type LoginSteps = Steps<HolderUser>

function drawEmail(steps: LoginSteps, props: LoginScreenProps, problem?: string): void {
  const { messages, social } = props
  const { login, common } = messages
  const email = labelledField(login.email, {
    id: 'email',
    type: 'email',
    autocomplete: 'email',
    'aria-describedby': 'problem',
  })
  const { line, setText } = problemLine('problem')
  drawLayout(steps.root, {
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
          createButton({
            text: login.social({ provider: namesOfProviders[social] }),
            press: () => openSocial(steps, props, social),
          }),
        ),
    ],
    actions: [createButton({ text: common.next, look: 'primary' })],
    submit() {
      const address = email.input.value.trim()
      if (/^[^\s@]+@[^\s@]+$/.test(address)) return sendCode(steps, props, address)
      setText(login.invalid)
      email.input.setAttribute('aria-invalid', 'true')
      email.input.focus()
    },
  })
  setText(problem)
}

function sendCode(steps: LoginSteps, props: LoginScreenProps, email: string): void {
  const { messages, holder, origin } = props
  const restart = (error: unknown): void => drawEmail(steps, props, messageForUser(error, messages))
  drawWaiting(steps.root, { title: messages.login.title })
  whenDone(steps, holder.sendCode({ email, origin, fresh: true }), {
    done({ action, match }) {
      if (action !== 'VERIFY_DEVICE') return drawCode(steps, props, email)
      drawDevice(steps, props, messages.login.deviceHint({ email }), match)
      whenDone(steps, holder.awaitDevice(), { done: () => drawCode(steps, props, email), failed: restart })
    },
    failed: restart,
  })
}

function drawDevice(steps: LoginSteps, props: LoginScreenProps, hint: string, match: string | undefined): void {
  const { login } = props.messages
  drawLayout(steps.root, {
    title: login.deviceTitle,
    content: [
      h('p', { class: 'hint' }, hint),
      h(
        'div',
        { class: 'status-panel', role: 'status' },
        h('p', { class: 'hint' }, login.match),
        h('p', { class: 'match' }, match),
        h('div', { class: 'spinner', 'aria-hidden': true }),
      ),
    ],
    actions: [createButton({ text: login.restart, look: 'quiet', press: () => drawEmail(steps, props) })],
  })
}

function drawCode(steps: LoginSteps, props: LoginScreenProps, email: string, problem?: string): void {
  const { messages, holder } = props
  const { login, common } = messages
  const code = labelledField(login.code, {
    id: 'code',
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: 12,
    'data-code': true,
    'aria-describedby': 'problem',
  })
  const { line, setText } = problemLine('problem')
  const submit = (): void => {
    const digits = code.input.value.replaceAll(/\D/g, '')
    if (digits.length !== 6) {
      setText(login.wrongCode)
      code.input.focus()
      return
    }
    drawWaiting(steps.root, { title: messages.recover.working })
    whenDone(steps, holder.redeem(digits), {
      done: (entered) => continueLogin(steps, props, entered),
      failed: (error) => drawCode(steps, props, email, messageForUser(error, messages)),
    })
  }
  code.input.addEventListener('input', () => {
    if (code.input.value.replaceAll(/\D/g, '').length === 6) submit()
  })
  drawLayout(steps.root, {
    title: login.codeTitle,
    content: [h('p', { class: 'hint' }, login.codeHint({ email })), code.box, line],
    actions: [
      createButton({ text: common.next, look: 'primary' }),
      createButton({ text: login.restart, look: 'quiet', press: () => drawEmail(steps, props) }),
    ],
    submit,
  })
  setText(problem)
  code.input.focus()
}

/** A new device may need a password or a passkey before the wallet opens. */
function continueLogin(steps: LoginSteps, props: LoginScreenProps, entered: LoginResult): void {
  if ('user' in entered) return steps.finish(entered.user)
  if ('needsCode' in entered) return awaitApproval(steps, props, deviceApprovalScreen(props))
  if ('needsDevice' in entered) {
    return awaitApproval(steps, props, deviceWaitScreen({ ...props, wait: entered.needsDevice }))
  }
  const { messages, holder, passkeys } = props
  const { draw } = recoverScreen({ messages, methods: entered.recoveryMethods, holder, passkeys })
  steps.signal.addEventListener('abort', draw(steps.root, steps.finish))
}

/** The share store approves a new device by the code of the provider's window, or by a known device. */
function awaitApproval(steps: LoginSteps, props: LoginScreenProps, { draw }: Screen<LoginResult | undefined>): void {
  const finish = (entered: LoginResult | undefined): void =>
    entered === undefined ? drawEmail(steps, props) : continueLogin(steps, props, entered)
  steps.signal.addEventListener('abort', draw(steps.root, finish))
}

function openSocial(steps: LoginSteps, props: LoginScreenProps, provider: LoginProvider): void {
  const { messages, holder, origin } = props
  const { login } = messages
  const name = namesOfProviders[provider]
  const restart = (error: unknown): void => drawEmail(steps, props, messageForUser(error, messages))
  drawWaiting(steps.root, { title: login.socialTitle({ provider: name }) })
  whenDone(steps, begin(), { done: open, failed: restart })

  async function begin(): Promise<{ uri: string; match?: string }> {
    if (provider === 'farcaster') return { uri: (await holder.beginFarcaster({ origin })).url }
    return holder.beginSocial({ provider, origin })
  }

  function open({ uri, match }: { uri: string; match?: string }): void {
    if (!props.openWindow(uri)) {
      return drawFailure(steps.root, messages, {
        title: login.socialTitle({ provider: name }),
        sentence: login.blocked,
        retry: () => open({ uri, match }),
        leave: () => drawEmail(steps, props),
      })
    }
    const digits = match === undefined ? '' : ` ${login.windowDigits({ digits: match })}`
    drawWaiting(steps.root, { title: login.socialTitle({ provider: name }), hint: login.socialHint + digits })
    const entered = provider === 'farcaster' ? holder.awaitFarcaster() : holder.awaitSocial()
    whenDone(steps, entered, { done: (done) => continueLogin(steps, props, done), failed: restart })
  }
}
