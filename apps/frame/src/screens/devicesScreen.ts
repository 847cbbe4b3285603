import type { Words } from '../messages/loadWords.ts'
import type { KeyHolder, DeviceInfo } from '../worker/keyHolder.ts'
import { h, icon } from './elements/h.ts'
import { messageForUser } from './failure.ts'
import { button, drawLayout } from './elements/layout.ts'
import { withRecoveryMethods } from './recovery/withRecoveryMethods.ts'
import type { Passkeys } from './recovery/passkeys.ts'
import { formatTime } from './elements/formatDate.ts'
import { doneBanner, drawFailure, drawWaiting } from './elements/drawFailure.ts'
import type { Screen } from './stage/stage.ts'
import { shownText } from './elements/shownText.ts'
import { whenDone, createScreen, type Steps } from './stage/steps.ts'

export type DevicesScreenProps = {
  readonly words: Words
  readonly holder: Pick<KeyHolder, 'devices' | 'revokeDevice' | 'recoveryMethods' | 'createPasskeyRequest'>
  readonly passkeys: Passkeys
}

/** Lists the enrolled devices and revokes them. */
export function devicesScreen(props: DevicesScreenProps): Screen<'done'> {
  return createScreen((steps) => loadDevices(steps, props), 'steps')
}

function loadDevices(steps: Steps<'done'>, props: DevicesScreenProps, done?: string): void {
  const { words, holder } = props
  drawWaiting(steps.root, { title: words.devices.title })
  whenDone(steps, holder.devices(), {
    done: (devices) => drawList(steps, props, devices, done),
    failed: (error) =>
      drawFailure(steps.root, words, {
        title: words.devices.title,
        sentence: messageForUser(error, words),
        retry: () => loadDevices(steps, props),
        leave: () => steps.finish('done'),
      }),
  })
}

function drawList(
  steps: Steps<'done'>,
  props: DevicesScreenProps,
  devices: readonly DeviceInfo[],
  done?: string,
): void {
  const { devices: texts, common } = props.words
  const ownFirst = devices.toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.createdAt - one.createdAt,
  )
  drawLayout(steps.root, {
    title: texts.title,
    content: [
      done === undefined ? undefined : doneBanner(done),
      h('p', { class: 'hint' }, texts.intro),
      h('ul', { class: 'rows' }, ...ownFirst.map((device) => deviceRow(steps, props, device))),
      devices.length < 2 ? h('p', { class: 'hint' }, texts.none) : undefined,
    ],
    actions: [button({ text: common.done, look: 'primary', press: () => steps.finish('done') })],
  })
}

function deviceRow(steps: Steps<'done'>, props: DevicesScreenProps, device: DeviceInfo): HTMLElement {
  const { devices: texts, locale } = props.words
  return h(
    'li',
    { class: 'row' },
    icon('device'),
    deviceFacts(props, device),
    device.current
      ? h('span', { class: 'tag' }, texts.current)
      : h(
          'button',
          {
            type: 'button',
            class: 'chip',
            'aria-label': texts.removeOf({ device: `${device.browser}, ${formatTime(device.createdAt, locale)}` }),
            on: { click: () => drawRemoval(steps, props, device) },
          },
          texts.remove,
        ),
  )
}

/** The device reported browser and page itself, so both are untrusted text. */
function deviceFacts({ words }: DevicesScreenProps, { browser, origin, createdAt }: DeviceInfo): HTMLElement {
  return h(
    'div',
    { class: 'text' },
    h('p', { class: 'name' }, h('bdi', {}, ...shownText(browser))),
    h('p', { class: 'sub' }, h('span', { class: 'origin' }, origin)),
    h('p', { class: 'sub' }, words.common.since({ date: formatTime(createdAt, words.locale) })),
  )
}

function drawRemoval(steps: Steps<'done'>, props: DevicesScreenProps, device: DeviceInfo): void {
  const { words, holder } = props
  const { devices: texts, common } = words
  const stolen = h('input', { type: 'checkbox', id: 'stolen', 'aria-describedby': 'stolen-hint' })
  drawLayout(steps.root, {
    title: texts.removeTitle,
    content: [
      h('div', { class: 'row' }, icon('device'), deviceFacts(props, device)),
      h('p', { class: 'hint' }, texts.removeHint),
      h(
        'div',
        { class: 'choice' },
        stolen,
        h('label', { for: 'stolen' }, texts.stolen),
        h('p', { id: 'stolen-hint', class: 'hint' }, texts.stolenHint),
      ),
    ],
    actions: [
      button({ text: texts.confirm, look: 'danger', guarded: true, press: () => remove(stolen.checked) }),
      button({ text: common.cancel, look: 'quiet', press: () => loadDevices(steps, props) }),
    ],
  })

  function remove(isStolen: boolean): void {
    withRecoveryMethods(steps, props, {
      act: (credentials) => holder.revokeDevice(device.setId, { stolen: isStolen, credentials }),
      done: () => loadDevices(steps, props, texts.removed),
      failed: (error) =>
        drawFailure(steps.root, words, {
          sentence: messageForUser(error, words),
          retry: () => remove(isStolen),
          leave: () => loadDevices(steps, props),
        }),
      leave: () => loadDevices(steps, props),
    })
  }
}
