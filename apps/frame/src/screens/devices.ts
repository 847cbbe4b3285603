import type { Words } from '../words/words.ts'
import type { KeyHolder, ShownDevice } from '../worker/keyHolder.ts'
import { h, icon } from './dom.ts'
import { sentenceOf } from './failure.ts'
import { button, layOut } from './layout.ts'
import { goingWays } from './recovery/goWay.ts'
import type { Passkeys } from './recovery/passkeys.ts'
import { shownTime } from './shownDate.ts'
import { doneBanner, drawFailure, drawWaiting } from './standing.ts'
import type { Screen } from './stage.ts'
import { shownText } from './shownText.ts'
import { afterwards, screenOf, type Steps } from './steps.ts'

export type DevicesParts = {
  readonly words: Words
  readonly holder: Pick<KeyHolder, 'devices' | 'revokeDevice' | 'ways' | 'passkeyAsk'>
  readonly passkeys: Passkeys
}

/** The devices that open the wallet, and how one is taken away. */
export function devicesScreen(parts: DevicesParts): Screen<'done'> {
  return screenOf((steps) => load(steps, parts))
}

function load(steps: Steps<'done'>, parts: DevicesParts, done?: string): void {
  const { words, holder } = parts
  drawWaiting(steps.root, { title: words.devices.title })
  afterwards(steps, holder.devices(), {
    done: (devices) => drawList(steps, parts, devices, done),
    failed: (error) =>
      drawFailure(steps.root, words, {
        title: words.devices.title,
        sentence: sentenceOf(error, words),
        retry: () => load(steps, parts),
        leave: () => steps.finish('done'),
      }),
  })
}

function drawList(steps: Steps<'done'>, parts: DevicesParts, devices: readonly ShownDevice[], done?: string): void {
  const { devices: texts, common } = parts.words
  const ownFirst = devices.toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.createdAt - one.createdAt,
  )
  layOut(steps.root, {
    title: texts.title,
    content: [
      done === undefined ? undefined : doneBanner(done),
      h('p', { class: 'hint' }, texts.intro),
      h('ul', { class: 'rows' }, ...ownFirst.map((device) => row(steps, parts, device))),
      devices.length < 2 ? h('p', { class: 'hint' }, texts.none) : undefined,
    ],
    actions: [button({ text: common.done, look: 'primary', press: () => steps.finish('done') })],
  })
}

function row(steps: Steps<'done'>, parts: DevicesParts, device: ShownDevice): HTMLElement {
  const { devices: texts, locale } = parts.words
  return h(
    'li',
    { class: 'row' },
    icon('device'),
    factsOf(parts, device),
    device.current
      ? h('span', { class: 'tag' }, texts.current)
      : h(
          'button',
          {
            type: 'button',
            class: 'chip',
            'aria-label': texts.removeOf(`${device.browser}, ${shownTime(device.createdAt, locale)}`),
            on: { click: () => drawRemoval(steps, parts, device) },
          },
          texts.remove,
        ),
  )
}

/** Browser and page are what the device said when it was let in: text of others. */
function factsOf({ words }: DevicesParts, { browser, origin, createdAt }: ShownDevice): HTMLElement {
  return h(
    'div',
    { class: 'text' },
    h('p', { class: 'name' }, h('bdi', {}, ...shownText(browser))),
    h('p', { class: 'sub' }, h('span', { class: 'origin' }, origin)),
    h('p', { class: 'sub' }, words.common.since(shownTime(createdAt, words.locale))),
  )
}

function drawRemoval(steps: Steps<'done'>, parts: DevicesParts, device: ShownDevice): void {
  const { words, holder } = parts
  const { devices: texts, common } = words
  const stolen = h('input', { type: 'checkbox', id: 'stolen', 'aria-describedby': 'stolen-hint' })
  layOut(steps.root, {
    title: texts.removeTitle,
    content: [
      h('div', { class: 'row' }, icon('device'), factsOf(parts, device)),
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
      button({ text: texts.confirm, look: 'danger', press: () => remove(stolen.checked) }),
      button({ text: common.cancel, look: 'quiet', press: () => load(steps, parts) }),
    ],
  })

  function remove(isStolen: boolean): void {
    goingWays(steps, parts, {
      act: (staying) => holder.revokeDevice(device.setId, { stolen: isStolen, staying }),
      done: () => load(steps, parts, texts.removed),
      failed: (error) =>
        drawFailure(steps.root, words, {
          sentence: sentenceOf(error, words),
          retry: () => remove(isStolen),
          leave: () => load(steps, parts),
        }),
      leave: () => load(steps, parts),
    })
  }
}
