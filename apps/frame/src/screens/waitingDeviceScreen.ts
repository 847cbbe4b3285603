import type { Messages } from '../messages/loadFrameMessages.ts'
import type { WaitingDevice } from '../services/shareStore.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import { drawFailure, drawWaiting, problemLine } from './elements/drawFailure.ts'
import { formatTime } from './elements/formatDate.ts'
import { formatPlace } from './elements/formatPlace.ts'
import { h, createIcon } from './elements/h.ts'
import { createButton, drawLayout, labelledField } from './elements/layout.ts'
import { shownText } from './elements/shownText.ts'
import { messageForUser, parseFailure } from './failure.ts'
import type { Screen } from './stage/stage.ts'
import { createScreen, whenDone, type Steps } from './stage/steps.ts'

/** The user's decision about a new device. */
export type WaitingDeviceDecision = 'approved' | 'refused' | 'later'

export type WaitingDeviceScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<KeyHolder, 'approveWaitingDevice' | 'stopWaitingDevice'>
  readonly device: WaitingDevice
}

/** Asks on a known device if a new one may open the wallet. The user enters the two digits that the new device shows. */
export function waitingDeviceScreen(props: WaitingDeviceScreenProps): Screen<WaitingDeviceDecision> {
  return createScreen((steps) => drawDecision(steps, props), 'steps')
}

function drawDecision(steps: Steps<WaitingDeviceDecision>, props: WaitingDeviceScreenProps, problem?: string): void {
  const { messages, holder, device } = props
  const { devices: texts, locale } = messages
  const digits = labelledField(texts.digits, {
    id: 'digits',
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'off',
    maxlength: 2,
    'data-code': true,
    'aria-describedby': 'problem',
  })
  const { line, setText } = problemLine('problem')
  const place = formatPlace(device.place, messages)
  drawLayout(steps.root, {
    title: texts.waitingTitle,
    content: [
      h(
        'div',
        { class: 'row' },
        createIcon('device'),
        h(
          'div',
          { class: 'text' },
          h('p', { class: 'name' }, h('bdi', {}, ...shownText(device.browser))),
          h('p', { class: 'sub' }, formatTime(device.at, locale)),
          place === undefined ? undefined : h('p', { class: 'sub' }, h('bdi', {}, ...shownText(place))),
        ),
      ),
      h('p', { class: 'hint' }, texts.waitingHint),
      digits.box,
      line,
      h('p', { class: 'hint' }, texts.waitingUntil({ time: formatTime(device.opensAt, locale) })),
    ],
    actions: [
      createButton({ text: texts.approveNew, look: 'primary', guarded: true }),
      createButton({ text: texts.refuseNew, look: 'danger', guarded: true, press: () => refuse(steps, props) }),
      createButton({ text: texts.later, look: 'quiet', press: () => steps.finish('later') }),
    ],
    submit() {
      const match = digits.input.value.replaceAll(/\D/g, '')
      if (match.length !== 2) return setText(texts.wrongDigits)
      drawWaiting(steps.root, { title: texts.waitingTitle })
      whenDone(steps, holder.approveWaitingDevice(device.id, match), {
        done: () => steps.finish('approved'),
        failed(error) {
          const isWrong = parseFailure(error).field === 'match'
          drawDecision(steps, props, isWrong ? texts.wrongDigits : messageForUser(error, messages))
        },
      })
    },
  })
  setText(problem)
}

function refuse(steps: Steps<WaitingDeviceDecision>, props: WaitingDeviceScreenProps): void {
  const { messages, holder, device } = props
  drawWaiting(steps.root, { title: messages.devices.waitingTitle })
  whenDone(steps, holder.stopWaitingDevice(device.id), {
    done: () => steps.finish('refused'),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title: messages.devices.waitingTitle,
        sentence: messageForUser(error, messages),
        retry: () => refuse(steps, props),
        leave: () => drawDecision(steps, props),
      }),
  })
}
