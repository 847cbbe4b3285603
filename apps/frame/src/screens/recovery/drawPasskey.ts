import { h } from '../elements/h.ts'
import { messageForUser } from '../failure.ts'
import { createButton, drawLayout } from '../elements/layout.ts'
import { drawWaiting, problemLine } from '../elements/drawFailure.ts'
import { whenDone } from '../stage/steps.ts'
import { withRecoveryMethods } from './withRecoveryMethods.ts'
import type { UsedPasskey } from './passkeys.ts'
import type { RecoveryMethodsStep } from './recoveryMethodsStep.ts'
import { drawPassword } from './drawPassword.ts'

/** Offers to create a passkey. The browser takes over from there. */
export function drawPasskey(step: RecoveryMethodsStep, failure?: string): void {
  const { messages, steps, back, addElsewhere } = step
  const { recoveryMethods: texts, common } = messages
  const { line, setText } = problemLine('problem')
  drawLayout(steps.root, {
    title: texts.passkeyTitle,
    content: [
      h('p', { class: 'hint' }, texts.passkeyIntro),
      line,
      failure === undefined || addElsewhere === undefined
        ? undefined
        : h('a', { class: 'button', href: addElsewhere, target: '_blank', rel: 'noopener' }, texts.elsewhere),
    ],
    actions: [
      createButton({ text: texts.create, look: 'primary', press: () => create(step) }),
      createButton({ text: common.cancel, look: 'quiet', press: () => back() }),
    ],
  })
  setText(failure)
}

function create(step: RecoveryMethodsStep): void {
  const { messages, steps, holder, passkeys, methods, userName } = step
  const except = methods.filter(({ method }) => method === 'passkey').map(({ id }) => id)
  drawWaiting(steps.root, { title: messages.recoveryMethods.creating, hint: messages.recoveryMethods.passkeyIntro })
  const ceremony = holder
    .createPasskeyRequest()
    .then((request) => passkeys.create({ ...request, userName, except, signal: steps.signal }))
  whenDone(steps, ceremony, {
    done(outcome) {
      if (outcome.kind === 'used') return save(step, outcome.passkey)
      if (outcome.kind === 'cancelled') return drawPasskey(step, messages.recoveryMethods.cancelled)
      drawUnable(step)
    },
    failed: (error) => drawPasskey(step, messageForUser(error, messages)),
  })
}

/** Without PRF a passkey can't protect a key. Nothing is stored, and the password is offered. */
function drawUnable(step: RecoveryMethodsStep): void {
  const { messages, steps, back, methods } = step
  const hasPassword = methods.some(({ method }) => method === 'password')
  const { line, setText } = problemLine('problem')
  drawLayout(steps.root, {
    title: messages.recoveryMethods.passkeyTitle,
    content: [line],
    actions: [
      hasPassword
        ? undefined
        : createButton({
            text: messages.recoveryMethods.addPassword,
            look: 'primary',
            press: () => drawPassword(step),
          }),
      createButton({ text: messages.common.back, look: 'quiet', press: () => back() }),
    ],
  })
  setText(messages.recoveryMethods.unable)
}

function save(step: RecoveryMethodsStep, { id, output, publicKey }: UsedPasskey): void {
  const { messages, steps, holder, back } = step
  withRecoveryMethods(steps, step, {
    act: (credentials) => holder.addPasskey({ id, output, publicKey, facts: '{}' }, credentials),
    done: () => back(messages.recoveryMethods.added),
    failed: (error) => drawPasskey(step, messageForUser(error, messages)),
    leave: back,
  })
}
