import { h } from '../screens/elements/h.ts'
import { messageForUser } from '../screens/failure.ts'
import { createButton, drawLayout, labelledField } from '../screens/elements/layout.ts'
import { drawFailure, problemLine } from '../screens/elements/drawFailure.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { whenDone, createScreen, type Steps } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { LoginResult, KeyHolder } from '../worker/keyHolder.ts'

type DeviceApprovalScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'awaitApproval' | 'approveDevice'>
}

/**
 * Waits until the provider's window has approved this device. Usually the window hands its code over by itself. On isolated pages
 * the user enters it.
 */
export function deviceApprovalScreen(props: DeviceApprovalScreenProps): Screen<LoginResult | undefined> {
  return createScreen((steps) => draw(steps, props))
}

function draw(steps: Steps<LoginResult | undefined>, props: DeviceApprovalScreenProps): void {
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
  drawLayout(steps.root, {
    title: login.deviceTitle,
    content: [h('p', { class: 'hint' }, login.approvalHint), code.box, line],
    actions: [
      createButton({ text: common.next, look: 'primary' }),
      createButton({ text: common.cancel, look: 'quiet', press: () => steps.finish(undefined) }),
    ],
    submit() {
      const digits = code.input.value.replaceAll(/\D/g, '')
      if (digits.length !== 8) return setText(login.wrongHandoff)
      holder.approveDevice(digits).catch((error: unknown) => setText(messageForUser(error, messages)))
    },
  })
  whenDone(steps, holder.awaitApproval(), {
    done: steps.finish,
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title: login.deviceTitle,
        sentence: messageForUser(error, messages),
        retry: () => draw(steps, props),
        leave: () => steps.finish(undefined),
      }),
  })
}
