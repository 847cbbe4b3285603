import type { Messages } from '../messages/loadFrameMessages.ts'
import type { KeyHolder, DeviceInfo } from '../worker/keyHolder.ts'
import type { WaitingDevice } from '../services/shareStore.ts'
import { h, createIcon } from './elements/h.ts'
import { messageForUser } from './failure.ts'
import { createButton, drawLayout } from './elements/layout.ts'
import { withRecoveryMethods } from './recovery/withRecoveryMethods.ts'
import type { Passkeys } from './recovery/passkeys.ts'
import { formatTime } from './elements/formatDate.ts'
import { formatPlace } from './elements/formatPlace.ts'
import { doneBanner, drawFailure, drawWaiting } from './elements/drawFailure.ts'
import type { Screen } from './stage/stage.ts'
import { shownText } from './elements/shownText.ts'
import { whenDone, createScreen, type Steps } from './stage/steps.ts'
import { waitingDeviceScreen } from './waitingDeviceScreen.ts'

export type DevicesScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<
    KeyHolder,
    | 'devices'
    | 'revokeDevice'
    | 'signOutOthers'
    | 'waitingDevices'
    | 'approveWaitingDevice'
    | 'stopWaitingDevice'
    | 'recoveryMethods'
    | 'createPasskeyRequest'
  >
  readonly passkeys: Passkeys
}

/** Lists the enrolled devices and revokes them. */
export function devicesScreen(props: DevicesScreenProps): Screen<'done'> {
  return createScreen((steps) => loadDevices(steps, props), 'steps')
}

function loadDevices(steps: Steps<'done'>, props: DevicesScreenProps, done?: string): void {
  const { messages, holder } = props
  drawWaiting(steps.root, { title: messages.devices.title })
  whenDone(steps, Promise.all([holder.devices(), holder.waitingDevices().catch(() => [])]), {
    done: ([devices, waiting]) => drawList(steps, props, { devices, waiting, done }),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title: messages.devices.title,
        sentence: messageForUser(error, messages),
        retry: () => loadDevices(steps, props),
        leave: () => steps.finish('done'),
      }),
  })
}

function drawList(
  steps: Steps<'done'>,
  props: DevicesScreenProps,
  {
    devices,
    waiting,
    done,
  }: { devices: readonly DeviceInfo[]; waiting: readonly WaitingDevice[]; done: string | undefined },
): void {
  const { devices: texts, common } = props.messages
  const ownFirst = devices.toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.createdAt - one.createdAt,
  )
  drawLayout(steps.root, {
    title: texts.title,
    content: [
      done === undefined ? undefined : doneBanner(done),
      h('p', { class: 'hint' }, texts.intro),
      h(
        'ul',
        { class: 'rows' },
        ...waiting.map((device) => drawWaitingRow(steps, props, device)),
        ...ownFirst.map((device) => deviceRow(steps, props, device)),
      ),
      devices.length < 2 ? h('p', { class: 'hint' }, texts.none) : undefined,
    ],
    actions: [
      createButton({ text: common.done, look: 'primary', press: () => steps.finish('done') }),
      devices.length < 2
        ? undefined
        : createButton({ text: texts.signOutOthers, look: 'quiet', press: () => drawSignOut(steps, props) }),
    ],
  })
}

/** A page that covers the frame could make the user press it. */
function drawSignOut(steps: Steps<'done'>, props: DevicesScreenProps): void {
  const { devices: texts, common } = props.messages
  drawLayout(steps.root, {
    title: texts.signOutOthers,
    content: [h('p', { class: 'hint' }, texts.intro)],
    actions: [
      createButton({
        text: texts.signOutOthers,
        look: 'danger',
        guarded: true,
        press: () => signOutOthers(steps, props),
      }),
      createButton({ text: common.cancel, look: 'quiet', press: () => loadDevices(steps, props) }),
    ],
  })
}

function signOutOthers(steps: Steps<'done'>, props: DevicesScreenProps): void {
  const { messages, holder } = props
  drawWaiting(steps.root, { title: messages.devices.title })
  whenDone(steps, holder.signOutOthers(), {
    done: () => loadDevices(steps, props, messages.devices.signedOutOthers),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        sentence: messageForUser(error, messages),
        retry: () => signOutOthers(steps, props),
        leave: () => loadDevices(steps, props),
      }),
  })
}

function drawWaitingRow(steps: Steps<'done'>, props: DevicesScreenProps, device: WaitingDevice): HTMLElement {
  const { devices: texts, locale } = props.messages
  const time = formatTime(device.at, locale)
  const place = formatPlace(device.place, props.messages)
  return h(
    'li',
    { class: 'row' },
    createIcon('device'),
    h(
      'div',
      { class: 'text' },
      h('p', { class: 'name' }, h('bdi', {}, ...shownText(device.browser))),
      h('p', { class: 'sub' }, texts.waiting),
      h('p', { class: 'sub' }, time),
      place === undefined ? undefined : h('p', { class: 'sub' }, h('bdi', {}, ...shownText(place))),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-label': texts.reviewOf({ device: `${device.browser}, ${time}` }),
        on: { click: () => drawReview(steps, props, device) },
      },
      texts.review,
    ),
  )
}

function drawReview(steps: Steps<'done'>, props: DevicesScreenProps, device: WaitingDevice): void {
  const { approvedNew, refusedNew } = props.messages.devices
  const banners = { approved: approvedNew, refused: refusedNew, later: undefined }
  const { draw } = waitingDeviceScreen({ ...props, device })
  const close = draw(steps.root, (decision) => loadDevices(steps, props, banners[decision]))
  steps.signal.addEventListener('abort', close)
}

function deviceRow(steps: Steps<'done'>, props: DevicesScreenProps, device: DeviceInfo): HTMLElement {
  const { devices: texts, locale } = props.messages
  return h(
    'li',
    { class: 'row' },
    createIcon('device'),
    deviceFacts(props, device),
    device.current
      ? h('span', { class: 'tag' }, texts.current)
      : h(
          'button',
          {
            type: 'button',
            class: 'chip',
            'aria-label': texts.removeOf({
              device: `${deviceName(props, device)}, ${formatTime(device.createdAt, locale)}`,
            }),
            on: { click: () => drawRemoval(steps, props, device) },
          },
          texts.remove,
        ),
  )
}

/** The device reported browser and page itself, so both are untrusted text. */
function deviceFacts(props: DevicesScreenProps, device: DeviceInfo): HTMLElement {
  const { messages } = props
  const { origin, createdAt, onlyAt, hasOnlyLogin } = device
  const { onlyAuth, onlyShares, onlyLogin } = messages.devices
  return h(
    'div',
    { class: 'text' },
    h('p', { class: 'name' }, h('bdi', {}, ...shownText(deviceName(props, device)))),
    origin === '' ? undefined : h('p', { class: 'sub' }, h('bdi', { class: 'origin' }, ...shownText(origin))),
    onlyAt === undefined ? undefined : h('p', { class: 'sub' }, onlyAt === 'auth' ? onlyAuth : onlyShares),
    hasOnlyLogin === true ? h('p', { class: 'sub' }, onlyLogin) : undefined,
    h('p', { class: 'sub' }, messages.common.since({ date: formatTime(createdAt, messages.locale) })),
  )
}

const deviceName = ({ messages }: DevicesScreenProps, { browser }: DeviceInfo): string =>
  browser === '' ? messages.devices.unknown : browser

function drawRemoval(steps: Steps<'done'>, props: DevicesScreenProps, device: DeviceInfo): void {
  const { messages, holder } = props
  const { devices: texts, common } = messages
  const stolen = h('input', { type: 'checkbox', id: 'stolen', 'aria-describedby': 'stolen-hint' })
  drawLayout(steps.root, {
    title: texts.removeTitle,
    content: [
      h('div', { class: 'row' }, createIcon('device'), deviceFacts(props, device)),
      h('p', { class: 'hint' }, texts.removeHint),
      // Without a key share there is nothing to encrypt again.
      device.hasOnlyLogin === true
        ? undefined
        : h(
            'div',
            { class: 'choice' },
            stolen,
            h('label', { for: 'stolen' }, texts.stolen),
            h('p', { id: 'stolen-hint', class: 'hint' }, texts.stolenHint),
          ),
    ],
    actions: [
      createButton({ text: texts.confirm, look: 'danger', guarded: true, press: () => remove(stolen.checked) }),
      createButton({ text: common.cancel, look: 'quiet', press: () => loadDevices(steps, props) }),
    ],
  })

  function remove(isStolen: boolean): void {
    withRecoveryMethods(steps, props, {
      act: (credentials) => holder.revokeDevice(device.setId, { key: device.key, stolen: isStolen, credentials }),
      done: () => loadDevices(steps, props, texts.removed),
      failed: (error) =>
        drawFailure(steps.root, messages, {
          sentence: messageForUser(error, messages),
          retry: () => remove(isStolen),
          leave: () => loadDevices(steps, props),
        }),
      leave: () => loadDevices(steps, props),
    })
  }
}
